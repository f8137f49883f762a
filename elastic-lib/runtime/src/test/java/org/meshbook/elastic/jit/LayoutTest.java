package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.collective.Collective.axisIndex;
import static org.meshbook.elastic.collective.Collective.axisSize;
import static org.meshbook.elastic.collective.Collective.pmean;
import static org.meshbook.elastic.collective.Collective.ppermute;
import static org.meshbook.elastic.collective.Collective.psum;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.Near.assertNear;
import static org.meshbook.elastic.jit.PartitionerTest.axis;
import static org.meshbook.elastic.jit.PartitionerTest.mesh;
import static org.meshbook.elastic.jit.Spmd.shardMap;
import static org.meshbook.elastic.jit.Spmd.withSharding;
import static org.meshbook.elastic.mesh.PartitionSpec.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.PartitionSpec;

/// The ways to spread a training over devices: each yields the value and the gradients of one
/// device.
class LayoutTest {
    record Mlp(Array w1, Array b1, Array w2) {}

    record Attention(Array qkv, Array out, Array scale) {}

    private final Lockstep devices = new Lockstep();

    private static Array random(int seed, int... dims) {
        return Array.normal(seed, dims).mul(0.4).cast(DType.F64);
    }

    private static Mlp mlp() {
        return new Mlp(random(1, 8, 16), random(2, 16), random(3, 16, 4));
    }

    private static Array loss(Mlp p, Array x) {
        return x.matmul(p.w1()).add(p.b1()).tanh().matmul(p.w2()).square().mean();
    }

    private static final Array ROWS = random(4, 24, 8);

    private <T> T put(Mesh mesh, T tree, PartitionSpec... specs) {
        var flat = Tree.flatten(tree);
        var placed = new ArrayList<Array>();
        for (int i = 0; i < flat.leaves().size(); i++) {
            var spec = specs[specs.length == 1 ? 0 : i];
            placed.add(devices.place(flat.leaves().get(i).toHost(), spec.on(mesh)));
        }
        return flat.structure().rebuild(placed);
    }

    /// Values and gradients of a loss on devices, beside those of this process.
    private <P> Program same(Fn2<P, Array, Array> loss, P params, P placed, Array x, Array there) {
        var wanted = valueAndGrad(loss).apply(params, x);
        var found = valueAndGrad(loss).apply(placed, there);
        assertNear("loss", found.value(), wanted.value(), 1e-12);
        var paths = Tree.paths(params);
        for (int i = 0; i < paths.size(); i++) {
            assertNear(
                    paths.get(i),
                    Tree.leaves(found.grad()).get(i),
                    Tree.leaves(wanted.grad()).get(i),
                    1e-11);
        }
        return devices.programs.getLast();
    }

    private static long count(Program program, Class<? extends Op> op) {
        return program.graph().nodes().stream().filter(n -> op.isInstance(n.op())).count();
    }

    @Test
    void dataParallel() {
        var mesh = mesh(axis("replica", 4));
        var program =
                same(
                        LayoutTest::loss,
                        mlp(),
                        put(mesh, mlp(), spec()),
                        ROWS,
                        put(mesh, ROWS, spec("replica")));
        assertThat(count(program, Op.AllReduce.class)).isEqualTo(4);
        assertThat(count(program, Op.AllGather.class)).isZero();
    }

    @Test
    void tensorParallelByColumnThenRowSumsOncePerDirection() {
        var mesh = mesh(axis("model", 4));
        var program =
                same(
                        LayoutTest::loss,
                        mlp(),
                        put(mesh, mlp(), spec("", "model"), spec("model"), spec("model")),
                        ROWS,
                        put(mesh, ROWS, spec()));
        assertThat(count(program, Op.AllReduce.class)).isEqualTo(1);
        assertThat(count(program, Op.AllGather.class)).isZero();
    }

    @Test
    void fullyShardedGathersParametersAndScattersTheirGradients() {
        var mesh = mesh(axis("fsdp", 4));
        var step =
                jit(
                        (Mlp p, Array x) -> {
                            var g = valueAndGrad(LayoutTest::loss).apply(p, x);
                            return Tree.map(p, g.grad(), (w, d) -> w.sub(d.mul(0.1)));
                        });
        var placed = put(mesh, mlp(), spec("fsdp"));
        var wanted = step.apply(mlp(), ROWS);
        var found = step.apply(placed, put(mesh, ROWS, spec("fsdp")));
        for (int i = 0; i < 3; i++) {
            var after = (Placed) Tree.leaves(found).get(i);
            assertNear("parameter " + i, after, Tree.leaves(wanted).get(i), 1e-12);
            assertThat(after.sharding().spec()).isEqualTo(spec("fsdp"));
        }
        var program = devices.programs.getLast();
        // w1 8 x 16, b1 16 and w2 16 x 4 of 8 bytes; a ring passes on three of four pieces.
        assertThat(Communication.of(program).toString())
                .isEqualTo(
                        """
                        collective      over  count  bytes sent
                        all_gather      fsdp      3       1,248
                        reduce_scatter  fsdp      3       1,248""");
        assertThat(count(program, Op.ReduceScatter.class)).isEqualTo(3);
        assertThat(count(program, Op.AllGather.class)).isEqualTo(3);
        assertThat(count(program, Op.AllReduce.class)).isZero();
    }

    /// Rows of a sequence attend to each other; between, each row is by itself.
    private static Array attention(Attention p, Array x) {
        var mean = x.square().mean(-1).expandDims(-1);
        var normal = x.mul(mean.add(1e-6).rsqrt()).mul(p.scale());
        var heads = new ArrayList<Array>();
        for (int i = 0; i < 3; i++) {
            var part = normal.matmul(p.qkv().slice(0, i, i + 1).reshape(8, 8));
            // From rows of all heads to all rows of some heads; the gradient goes the same way
            // back.
            var rows = withSharding(part.reshape(2, 12, 4, 2), spec(null, "seq"));
            heads.add(withSharding(rows, spec(null, null, "seq")));
        }
        var q = heads.get(0).transpose(0, 2, 1, 3);
        var k = heads.get(1).transpose(0, 2, 3, 1);
        var v = heads.get(2).transpose(0, 2, 1, 3);
        var mixed = q.matmul(k).softmax(-1).matmul(v).transpose(0, 2, 1, 3);
        var back = withSharding(withSharding(mixed, spec(null, null, "seq")), spec(null, "seq"));
        return x.add(back.reshape(2, 12, 8).matmul(p.out())).square().mean();
    }

    @Test
    void sequenceParallelMovesTheCutFromRowsToHeadsAndBack() {
        var mesh = mesh(axis("seq", 4));
        var params = new Attention(random(1, 3, 8, 8), random(2, 8, 8), random(3, 8));
        var x = random(5, 2, 12, 8);
        var program =
                same(
                        LayoutTest::attention,
                        params,
                        put(mesh, params, spec()),
                        x,
                        put(mesh, x, spec(null, "seq")));
        assertThat(count(program, Op.AllToAll.class)).isEqualTo(8);
        assertThat(count(program, Op.AllGather.class)).isZero();
    }

    /// Stage after stage, one micro batch behind the other.
    private static Array stages(Array w, Array x) {
        int stages = axisSize("stage");
        int batches = x.shape().dim(0);
        var place = axisIndex("stage");
        Array state = Array.zeros(DType.F64, x.shape().dim(1), x.shape().dim(2));
        var done = new ArrayList<Array>();
        var next =
                IntStream.range(0, stages - 1)
                        .mapToObj(i -> new int[] {i, i + 1})
                        .toArray(int[][]::new);
        for (int tick = 0; tick < batches + stages - 1; tick++) {
            var fresh = x.at(Math.min(tick, batches - 1));
            var in = place.eq(0).select(fresh, state);
            var y = in.matmul(w.at(0)).tanh();
            if (tick >= stages - 1) {
                done.add(Array.where(place.eq(stages - 1), y, 0));
            }
            state = ppermute(y, "stage", next);
        }
        return psum(Array.stack(0, done), "stage");
    }

    private static Array sequential(Array w, Array x) {
        var y = x;
        for (int i = 0; i < w.shape().dim(0); i++) {
            y = y.matmul(w.at(i)).tanh();
        }
        return y.square().mean();
    }

    @Test
    void pipelineByPermutation() {
        var mesh = mesh(axis("stage", 4));
        var w = random(1, 4, 6, 6);
        var x = random(2, 5, 3, 6);
        var pipeline =
                shardMap(mesh, List.of(spec("stage"), spec()), List.of(spec()), LayoutTest::stages);
        Fn2<Array, Array, Array> loss = (p, in) -> pipeline.apply(p, in).square().mean();
        var wanted = valueAndGrad(LayoutTest::sequential).apply(w, x);
        var found = valueAndGrad(loss).apply(put(mesh, w, spec("stage")), put(mesh, x, spec()));
        assertNear("loss", found.value(), wanted.value(), 1e-12);
        assertNear("gradient", found.grad(), wanted.grad(), 1e-12);
        assertThat(((Placed) found.grad()).sharding().spec()).isEqualTo(spec("stage"));
        // Without a mesh the same function runs in this process.
        var here = valueAndGrad(loss).apply(w, x);
        assertNear("gradient in this process", here.grad(), wanted.grad(), 1e-12);
    }

    @Test
    void dataTimesTensorTimesFullySharded() {
        var mesh = mesh(axis("replica", 2), axis("fsdp", 2), axis("model", 2));
        var program =
                same(
                        LayoutTest::loss,
                        mlp(),
                        put(
                                mesh,
                                mlp(),
                                spec("fsdp", "model"),
                                spec("model"),
                                spec("model", "fsdp")),
                        ROWS,
                        put(mesh, ROWS, spec("replica+fsdp")));
        assertThat(count(program, Op.AllGather.class)).isPositive();
    }

    @Test
    void dataTimesSequence() {
        var mesh = mesh(axis("replica", 2), axis("seq", 2));
        var params = new Attention(random(1, 3, 8, 8), random(2, 8, 8), random(3, 8));
        var x = random(5, 2, 12, 8);
        Fn2<Attention, Array, Array> loss =
                (p, in) -> attention(p, withSharding(in, spec("replica", "seq")));
        same(loss, params, put(mesh, params, spec()), x, put(mesh, x, spec("replica", "seq")));
    }

    @Test
    void pipelineTimesDataTimesTensor() {
        var mesh = mesh(axis("stage", 2), axis("replica", 2), axis("model", 2));
        var w = random(1, 2, 6, 6);
        var x = random(2, 3, 4, 6);
        // The model axis cuts what each stage sums over.
        Fn2<Array, Array, Array> device =
                (p, in) -> {
                    var whole = org.meshbook.elastic.collective.Collective.allGather(p, "model", 1);
                    return pmean(stages(whole, in).square().mean(), "replica");
                };
        var loss =
                shardMap(
                        mesh,
                        List.of(spec("stage", "model"), spec(null, "replica")),
                        List.of(spec()),
                        device);
        var wanted = valueAndGrad(LayoutTest::sequential).apply(w, x);
        var found =
                valueAndGrad(loss)
                        .apply(
                                put(mesh, w, spec("stage", "model")),
                                put(mesh, x, spec(null, "replica")));
        assertNear("loss", found.value(), wanted.value(), 1e-12);
        assertNear("gradient", found.grad(), wanted.grad(), 1e-12);
    }
}
