package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.Near.assertNear;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// What the devices compute together equals what one device computes alone.
class PartitionerTest {
    record Params(Array w1, Array b1, Array w2, Array b2) {}

    record Batch(Array x, Array y) {}

    private final Lockstep devices = new Lockstep();

    static Mesh mesh(Axis... axes) {
        int count = 1;
        for (var axis : axes) {
            count *= axis.size();
        }
        var devices =
                IntStream.range(0, count).mapToObj(i -> new Device(i, i / 2, 0, i % 2)).toList();
        return Mesh.of(devices, axes);
    }

    static Axis axis(String name, int size) {
        return new Axis(name, size);
    }

    static Params params(int in, int hidden, int out) {
        return new Params(
                f64(Array.normal(1, in, hidden).mul(0.3)),
                f64(Array.normal(2, hidden).mul(0.1)),
                f64(Array.normal(3, hidden, out).mul(0.3)),
                f64(Array.normal(4, out).mul(0.1)));
    }

    private static Array f64(Array x) {
        return x.cast(DType.F64);
    }

    static Batch batch(int rows, int in, int out) {
        var labels = Array.uniform(6, rows).mul(out).cast(DType.I32);
        return new Batch(f64(Array.normal(5, rows, in)), labels);
    }

    static Array loss(Params p, Batch b) {
        var hidden = b.x().matmul(p.w1()).add(p.b1()).relu();
        var logits = hidden.matmul(p.w2()).add(p.b2()).logSoftmax(-1);
        return logits.mul(b.y().oneHot(5, DType.F64)).sum(-1).mean().neg();
    }

    static Pair<Params, Array> step(Params p, Batch b) {
        var g = valueAndGrad(PartitionerTest::loss).apply(p, b);
        return pair(Tree.map(p, g.grad(), (w, d) -> w.sub(d.mul(0.1))), g.value());
    }

    private <T> T put(T tree, Sharding sharding) {
        return Tree.map(tree, x -> devices.place(x.toHost(), sharding));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 3, 2, 1})
    void dataParallelTrainingEqualsTrainingOnOneDevice(int replicas) {
        var mesh = mesh(axis("replica", replicas));
        var step = jit(PartitionerTest::step);
        var alone = params(7, 8, 5);
        var together = put(alone, mesh.replicated());
        var batch = batch(24, 7, 5);
        var cut = put(batch, mesh.sharding("replica"));
        for (int i = 0; i < 5; i++) {
            var a = step.apply(alone, batch);
            var t = step.apply(together, cut);
            assertNear("loss", t.second(), a.second(), 1e-12);
            alone = a.first();
            together = t.first();
        }
        var found = Tree.leaves(together);
        var wanted = Tree.leaves(alone);
        for (int i = 0; i < found.size(); i++) {
            assertNear("parameter " + i, found.get(i), wanted.get(i), 1e-12);
            assertThat(((Placed) found.get(i)).sharding().isReplicated()).isTrue();
        }
    }

    @Test
    void dataParallelStepsTalkOnlyToAddUpGradientsAndLoss() {
        var mesh = mesh(axis("replica", 4));
        var graph =
                program(
                        mesh,
                        put(params(7, 8, 5), mesh.replicated()),
                        put(batch(24, 7, 5), mesh.sharding("replica")));
        assertThat(count(graph, Op.AllReduce.class)).isEqualTo(5);
        assertThat(count(graph, Op.AllGather.class)).isZero();
        assertThat(count(graph, Op.ShardOf.class)).isZero();
        // Each one stands for itself, so that a worker can send them together.
        var sums = new ArrayList<Integer>();
        for (int i = 0; i < graph.nodes().size(); i++) {
            if (graph.nodes().get(i).op() instanceof Op.AllReduce) {
                sums.add(i + graph.parameters().size());
            }
        }
        for (var node : graph.nodes()) {
            if (node.op() instanceof Op.AllReduce) {
                assertThat(reaches(graph, node.inputs().getFirst(), sums)).isFalse();
            }
        }
    }

    private static boolean reaches(Graph graph, int value, List<Integer> targets) {
        int at = value - graph.parameters().size();
        return targets.contains(value)
                || (at >= 0
                        && graph.nodes().get(at).inputs().stream()
                                .anyMatch(input -> reaches(graph, input, targets)));
    }

    private Graph program(Mesh mesh, Params p, Batch b) {
        assertThat(mesh.devices()).isNotEmpty();
        return jit(PartitionerTest::step).lower(p, b).program().orElseThrow().graph();
    }

    private static long count(Graph graph, Class<?> op) {
        return graph.nodes().stream().filter(node -> op.isInstance(node.op())).count();
    }

    @Test
    void matricesCutOverTheModelAxisTrainTheSame() {
        var mesh = mesh(axis("replica", 2), axis("model", 2));
        var alone = params(7, 8, 5);
        var cut =
                new Params(
                        devices.place(alone.w1().toHost(), mesh.sharding("", "model")),
                        devices.place(alone.b1().toHost(), mesh.sharding("model")),
                        devices.place(alone.w2().toHost(), mesh.sharding("model")),
                        devices.place(alone.b2().toHost(), mesh.replicated()));
        var batch = batch(24, 7, 5);
        var placed = put(batch, mesh.sharding("replica"));
        var step = jit(PartitionerTest::step);
        var wanted = step.apply(alone, batch);
        var found = step.apply(cut, placed);
        assertNear("loss", found.second(), wanted.second(), 1e-12);
        for (int i = 0; i < 4; i++) {
            var before = (Placed) Tree.leaves(cut).get(i);
            var after = (Placed) Tree.leaves(found.first()).get(i);
            assertNear("parameter " + i, after, Tree.leaves(wanted.first()).get(i), 1e-12);
            assertThat(after.sharding()).isEqualTo(before.sharding());
        }
        assertThat(count(program(mesh, cut, placed), Op.AllGather.class)).isZero();
    }

    @Test
    void shardedParametersOverTheReplicaAxisTrainTheSame() {
        var mesh = mesh(axis("replica", 4));
        var alone = params(8, 8, 5);
        var cut =
                new Params(
                        devices.place(alone.w1().toHost(), mesh.sharding("replica")),
                        devices.place(alone.b1().toHost(), mesh.sharding("replica")),
                        devices.place(alone.w2().toHost(), mesh.sharding("replica")),
                        devices.place(alone.b2().toHost(), mesh.replicated()));
        var batch = batch(24, 8, 5);
        var wanted = step(alone, batch);
        var found = jit(PartitionerTest::step).apply(cut, put(batch, mesh.sharding("replica")));
        for (int i = 0; i < 4; i++) {
            var after = Tree.leaves(found.first()).get(i);
            assertNear("parameter " + i, after, Tree.leaves(wanted.first()).get(i), 1e-12);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 3, 2})
    void convolutionalNetTrainsTheSame(int replicas) {
        record Net(Array k1, Array k2, Array w) {}
        Fn2<Net, Array, Array> loss =
                (net, x) -> {
                    var a = x.conv2d(net.k1(), 1, "SAME").relu().maxPool(2);
                    var b = a.conv2d(net.k2(), 2, "SAME").tanh().avgPool(2);
                    return b.reshape(12, -1).matmul(net.w()).square().mean();
                };
        var net =
                new Net(
                        f64(Array.normal(1, 3, 3, 1, 4)),
                        f64(Array.normal(2, 3, 3, 4, 6)),
                        f64(Array.normal(3, 6, 2)));
        var x = f64(Array.normal(4, 12, 8, 8, 1));
        var mesh = mesh(axis("replica", replicas));
        var wanted = valueAndGrad(loss).apply(net, x);
        var compiled = valueAndGrad(loss);
        var found = compiled.apply(put(net, mesh.replicated()), put(x, mesh.sharding("replica")));
        assertNear("loss", found.value(), wanted.value(), 1e-12);
        for (int i = 0; i < 3; i++) {
            assertNear(
                    "gradient " + i,
                    Tree.leaves(found.grad()).get(i),
                    Tree.leaves(wanted.grad()).get(i),
                    1e-11);
        }
        assertThat(count(devices.programs.getLast().graph(), Op.AllGather.class)).isZero();
        assertThat(count(devices.programs.getLast().graph(), Op.AllReduce.class)).isEqualTo(4);
    }

    @Test
    void embeddingTrainsTheSame() {
        var table = f64(Array.normal(1, 10, 4));
        var ids = Array.uniform(2, 12).mul(10).cast(DType.I32);
        Fn2<Array, Array, Array> loss = (t, i) -> t.take(i, 0).square().mean();
        var mesh = mesh(axis("replica", 3));
        var found =
                grad(loss).apply(put(table, mesh.replicated()), put(ids, mesh.sharding("replica")));
        assertNear("table", found, grad(loss).apply(table, ids), 1e-12);
    }

    private static final List<Mesh> MESHES =
            List.of(
                    mesh(axis("a", 2)),
                    mesh(axis("a", 3)),
                    mesh(axis("a", 2), axis("b", 2)),
                    mesh(axis("a", 3), axis("b", 2)),
                    mesh(axis("a", 2), axis("b", 1), axis("c", 3)));

    @Test
    void randomFunctionsComputeTheSameUnderRandomCuts() {
        for (int seed = 0; seed < 250; seed++) {
            var random = new Random(seed);
            var mesh = MESHES.get(seed % MESHES.size());
            var inputs = inputs(random);
            var function = new RandomFunction(seed, 3 + random.nextInt(12));
            var placed =
                    inputs.stream()
                            .map(x -> (Array) devices.place(x, cut(random, mesh, x)))
                            .toList();
            compare("seed " + seed, jit(function), new ArrayList<>(inputs), placed);
        }
    }

    @Test
    void gradientsOfRandomFunctionsAreTheSameUnderRandomCuts() {
        for (int seed = 1000; seed < 1080; seed++) {
            var random = new Random(seed);
            var mesh = MESHES.get(seed % MESHES.size());
            var inputs = inputs(random);
            var function = new RandomFunction(seed, 2 + random.nextInt(6));
            Fn1<List<Array>, Array> loss =
                    x ->
                            function.apply(x).stream()
                                    .map(y -> y.square().mean())
                                    .reduce(Array::add)
                                    .orElseThrow();
            var placed =
                    inputs.stream()
                            .map(x -> (Array) devices.place(x, cut(random, mesh, x)))
                            .toList();
            compare("seed " + seed, grad(loss), new ArrayList<>(inputs), placed);
        }
    }

    private static void compare(
            String what,
            Fn1<List<Array>, List<Array>> function,
            List<Array> inputs,
            List<Array> placed) {
        try {
            var wanted = function.apply(inputs);
            var found = function.apply(placed);
            for (int i = 0; i < wanted.size(); i++) {
                assertNear(what + ", result " + i, found.get(i), wanted.get(i), 1e-9);
            }
        } catch (RuntimeException e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }

    private static List<HostArray> inputs(Random random) {
        var shapes =
                List.of(
                        new int[] {12},
                        new int[] {6, 12},
                        new int[] {12, 6},
                        new int[] {12, 6, 6},
                        new int[] {6, 6, 6, 2});
        var inputs = new ArrayList<HostArray>();
        for (int i = 0; i < 3; i++) {
            var shape = shapes.get(random.nextInt(shapes.size()));
            inputs.add((HostArray) f64(Array.normal(random.nextInt(), shape)));
        }
        return inputs;
    }

    private static Sharding cut(Random random, Mesh mesh, HostArray x) {
        var axes = new ArrayList<>(mesh.axes().stream().map(Axis::name).toList());
        Collections.shuffle(axes, random);
        var dims = new ArrayList<List<String>>();
        for (int size : x.type().shape().dims()) {
            var cut = new ArrayList<String>();
            while (!axes.isEmpty() && random.nextInt(3) > 0) {
                int pieces = cut.stream().mapToInt(mesh::size).reduce(1, (a, b) -> a * b);
                if (size % (pieces * mesh.size(axes.getLast())) != 0) {
                    break;
                }
                cut.add(axes.removeLast());
            }
            dims.add(cut);
        }
        return new Sharding(mesh, dims);
    }

    @Test
    void rowsThatDoNotDivideSayWhichMultipleDoes() {
        var mesh = mesh(axis("replica", 3));
        assertThatThrownBy(() -> devices.place(Array.zeros(1000, 2), mesh.sharding("replica")))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "1000 rows do not divide over axis 'replica' of 3; use a multiple of 3");
        assertThatThrownBy(() -> devices.place(Array.zeros(3, 4), mesh.sharding("", "replica")))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "the 4 of dimension 1 do not divide over axis 'replica' of 3; use a multiple of 3");
    }
}
