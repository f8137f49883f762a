package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.collective.Collective.allGather;
import static org.meshbook.elastic.collective.Collective.allToAll;
import static org.meshbook.elastic.collective.Collective.axisIndex;
import static org.meshbook.elastic.collective.Collective.pmax;
import static org.meshbook.elastic.collective.Collective.pmean;
import static org.meshbook.elastic.collective.Collective.pmin;
import static org.meshbook.elastic.collective.Collective.ppermute;
import static org.meshbook.elastic.collective.Collective.psum;
import static org.meshbook.elastic.collective.Collective.reduceScatter;
import static org.meshbook.elastic.collective.Collective.rotate;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.Near.assertNear;
import static org.meshbook.elastic.jit.PartitionerTest.axis;
import static org.meshbook.elastic.jit.PartitionerTest.mesh;
import static org.meshbook.elastic.jit.Spmd.shardMap;
import static org.meshbook.elastic.jit.Spmd.withSharding;
import static org.meshbook.elastic.mesh.PartitionSpec.spec;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.PartitionSpec;

/// What a function for one device means as a function of whole arrays; numbers are those of
/// `jax.shard_map` of JAX 0.10 on four CPU devices.
class ShardMapTest {
    private static final Mesh RING = mesh(axis("i", 4));
    private static final Array X = Array.iota(DType.F64, 8).add(1);

    private final Lockstep devices = new Lockstep();

    private static Jitted.Of1<Array, Array> over(
            PartitionSpec in, PartitionSpec out, Fn1<Array, Array> f) {
        return shardMap(RING, List.of(in), List.of(out), f);
    }

    /// In this process and on a mesh.
    private void yields(Fn1<Array, Array> f, Array x, double... wanted) {
        var expected = Array.of(wanted);
        assertNear("here", f.apply(x).flatten(), expected, 1e-12);
        var placed = devices.place(x.toHost(), RING.sharding("i"));
        assertNear("on a mesh", f.apply(placed).toHost().flatten(), expected, 1e-12);
    }

    @Test
    void collectivesYieldWhatJaxYields() {
        yields(over(spec("i"), spec(), x -> psum(x, "i")), X, 16, 20);
        yields(over(spec("i"), spec(), x -> pmean(x, "i")), X, 4, 5);
        yields(over(spec("i"), spec(), x -> pmax(x, "i")), X, 7, 8);
        yields(over(spec("i"), spec(), x -> pmin(x, "i")), X, 1, 2);
        yields(over(spec("i"), spec(), x -> allGather(x, "i", 0)), X, 1, 2, 3, 4, 5, 6, 7, 8);
        yields(
                over(spec(), spec("i"), x -> reduceScatter(x, "i", 0)),
                X,
                4,
                8,
                12,
                16,
                20,
                24,
                28,
                32);
        yields(over(spec("i"), spec("i"), x -> rotate(x, "i", 1)), X, 7, 8, 1, 2, 3, 4, 5, 6);
        yields(
                over(
                        spec("i"),
                        spec("i"),
                        x -> ppermute(x, "i", new int[] {0, 2}, new int[] {3, 1})),
                X,
                0,
                0,
                7,
                8,
                1,
                2,
                0,
                0);
        yields(
                over(spec("i"), spec("i"), x -> x.add(axisIndex("i").cast(DType.F64).mul(100))),
                X,
                1,
                2,
                103,
                104,
                205,
                206,
                307,
                308);
    }

    @Test
    void allToAllMovesACutFromOneDimensionToAnother() {
        var x = Array.iota(DType.F64, 32).reshape(8, 4);
        var moved = over(spec("i"), spec(null, "i"), s -> allToAll(s, "i", 1, 0));
        assertThat(moved.apply(x).toHost()).isEqualTo(x.toHost());
        var placed = devices.place(x.toHost(), RING.sharding("i"));
        var there = (Placed) moved.apply(placed);
        assertThat(there.toHost()).isEqualTo(x.toHost());
        assertThat(there.sharding().spec()).isEqualTo(spec(null, "i"));
    }

    @Test
    void gradientsOutsideAreThoseOfJax() {
        // d/dx of sum over devices of (x_d . psum(x))
        var f = over(spec("i"), spec(), x -> psum(x.mul(psum(x, "i")).sum(), "i"));
        yields(grad(f), X, 32, 40, 32, 40, 32, 40, 32, 40);
        var maximum = over(spec("i"), spec(), x -> pmax(x.square().sum(), "i"));
        yields(grad(maximum), X, 0, 0, 0, 0, 0, 0, 14, 16);
        // Each device weighs what it gathers by its place.
        var gather =
                over(
                        spec("i"),
                        spec(),
                        x -> {
                            var place = axisIndex("i").cast(DType.F64).add(1);
                            return psum(allGather(x, "i", 0).square().sum().mul(place), "i");
                        });
        yields(grad(gather), X, 20, 40, 60, 80, 100, 120, 140, 160);
        var ring = over(spec("i"), spec(), x -> psum(rotate(x, "i", 1).mul(x).sum(), "i"));
        yields(grad(ring), X, 10, 12, 6, 8, 10, 12, 6, 8);
    }

    @Test
    void whatIsEqualOnAllDevicesGetsTheSumOfWhatComesBack() {
        // w is whole on each device, x is cut: the gradient by w is that of the whole batch.
        var w = Array.of(0.5, -1.5);
        var x = Array.iota(DType.F64, 16).reshape(8, 2).mul(0.1);
        Fn2<Array, Array, Array> alone = (p, rows) -> rows.mul(p).sum(1).tanh().mean();
        var wanted = valueAndGrad(alone).apply(w, x);
        var outside =
                shardMap(
                        RING,
                        List.of(spec(), spec("i")),
                        List.of(spec()),
                        (Array p, Array rows) -> pmean(alone.apply(p, rows), "i"));
        assertNear("outside", grad(outside).apply(w, x), wanted.grad(), 1e-14);
        var inside =
                shardMap(
                        RING,
                        List.of(spec(), spec("i")),
                        List.of(spec()),
                        (Array p, Array rows) ->
                                grad((Array q) -> pmean(alone.apply(q, rows), "i")).apply(p));
        assertNear("inside", inside.apply(w, x), wanted.grad(), 1e-14);
        // A loss of its own on each device counts as the sum of all: JAX's rule since 0.7.
        var sum =
                shardMap(
                        RING,
                        List.of(spec(), spec("i")),
                        List.of(spec()),
                        (Array p, Array rows) -> grad((Array q) -> alone.apply(q, rows)).apply(p));
        assertNear("sum", sum.apply(w, x), wanted.grad().mul(4), 1e-13);
    }

    @Test
    void sumsOfWhatIsEqualEverywhereHaveGradientsToo() {
        var f = over(spec(), spec(), x -> psum(x.square().sum(), "i"));
        assertNear("value", f.apply(X), Array.scalar(816.0), 1e-12);
        assertNear("gradient", grad(f).apply(X), X.mul(8), 1e-12);
        var scattered =
                over(spec(), spec(), x -> psum(reduceScatter(x, "i", 0).square().sum(), "i"));
        assertNear("scattered", grad(scattered).apply(X), X.mul(32), 1e-12);
        var max = over(spec(), spec(), x -> pmax(x.square().sum(), "i"));
        assertNear("greatest", grad(max).apply(X), X.mul(2), 1e-12);
    }

    @Test
    void capturedArraysAreWholeOnEveryDevice() {
        var scale = devices.place(Array.of(2.0, 3.0, 4.0, 5.0), RING.sharding("i"));
        var f = over(spec("i"), spec("i"), x -> x.mul(scale.sum()));
        var placed = devices.place(X.toHost(), RING.sharding("i"));
        assertNear("captured", f.apply(placed).toHost(), X.mul(14), 1e-12);
        var inner =
                jit((Array x, Array s) -> over(spec("i"), spec("i"), y -> y.mul(s.max())).apply(x));
        assertNear("traced", inner.apply(placed, scale).toHost(), X.mul(5), 1e-12);
    }

    @Test
    void aFunctionTracedForOneMeshIsTracedAgainForAnother() {
        var mean = jit((Array x) -> pmean(x.sum(), "i"));
        for (int size : new int[] {4, 2, 8}) {
            var mesh = Mesh.numbered(List.of(axis("i", size)));
            var f = shardMap(mesh, List.of(spec("i")), List.of(spec()), mean);
            assertThat(f.apply(X).item()).isEqualTo(36.0 / size);
        }
        assertThat(mean.traces()).isEqualTo(3);
    }

    @Test
    void errorsNameAxesAndShapes() {
        assertThatThrownBy(() -> jit((Array x) -> psum(x, "i")).apply(X))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("psum over axis 'i' stands outside of shardMap");
        assertThatThrownBy(() -> over(spec("i"), spec(), x -> psum(x, "j")).apply(X))
                .hasMessage("psum over axis 'j': the mesh of this shardMap has [i=4]");
        assertThatThrownBy(() -> over(spec("i"), spec(), x -> x).apply(X))
                .hasMessage(
                        "shardMap: result '', f64[2] on each device, differs along [i], which its"
                                + " spec (replicated) does not name; psum or pmean it, or cut a dimension"
                                + " over it");
        assertThatThrownBy(() -> over(spec("i"), spec(), x -> x).apply(Array.zeros(6, 2)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "shardMap: dimension 0 of f32[6,2] does not divide over axis 'i' of 4; use a"
                                + " multiple of 4");
        assertThatThrownBy(() -> over(spec("i"), spec("i"), x -> allToAll(x, "i", 0, 0)).apply(X))
                .hasMessage(
                        "all_to_all: dimension 0 of f64[2] does not divide over axis 'i' of 4; use a"
                                + " multiple of 4");
        assertThatThrownBy(
                        () -> over(spec("i"), spec("i"), x -> withSharding(x, spec("i"))).apply(X))
                .hasMessageContaining("inside of shardMap");
        assertThatThrownBy(
                        () ->
                                over(spec("i"), spec("i"), x -> ppermute(x, "i", new int[] {0, 4}))
                                        .apply(X))
                .hasMessage("ppermute over axis 'i' of 4: [0, 4] is no pair of places from 0 to 3");
        var smaller = mesh(axis("i", 2));
        assertThatThrownBy(
                        () ->
                                over(spec("i"), spec("i"), x -> x)
                                        .apply(devices.place(X.toHost(), smaller.sharding("i"))))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageStartingWith(
                        "shardMap was made for axes [i=4], its arguments lie on Mesh(i=2)");
    }
}
