package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.Near.assertNear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.jit.reverse.Gradient;
import org.meshbook.elastic.jit.trace.Trace;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;

/// Gradients of every operation against central differences in float64.
class GradientTest {
    private static final double STEP = 1e-6;

    private record Case(String name, Fn1<List<Array>, Array> f, List<HostArray> at) {}

    private static Case on(String name, Fn1<List<Array>, Array> f, HostArray... at) {
        return new Case(name, f, List.of(at));
    }

    private static HostArray random(int... dims) {
        return (HostArray) Array.normal(Arrays.hashCode(dims) + 7L, dims).cast(DType.F64);
    }

    private static HostArray positive(int... dims) {
        return (HostArray) random(dims).abs().add(0.3);
    }

    private static HostArray other(int... dims) {
        return (HostArray) Array.normal(Arrays.hashCode(dims) + 99L, dims).cast(DType.F64);
    }

    private static Array raw(Op op, Array... operands) {
        return operands[0].apply(op, List.of(operands));
    }

    private static Op conv(
            int[] strides, int[] low, int[] high, int[] inDilation, int[] kDilation) {
        return new Op.Convolution(
                list(strides), list(low), list(high), list(inDilation), list(kDilation));
    }

    private static List<Integer> list(int... values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static int[] ints(int... values) {
        return values;
    }

    private static Stream<Case> unary() {
        return Stream.of(
                on("negate", x -> x.get(0).neg(), random(3, 2)),
                on("abs", x -> x.get(0).abs(), random(3, 2)),
                on("sign", x -> x.get(0).sign(), random(3, 2)),
                on("exp", x -> x.get(0).exp(), random(3, 2)),
                on("expm1", x -> x.get(0).expm1(), random(3, 2)),
                on("log", x -> x.get(0).log(), positive(3, 2)),
                on("log1p", x -> x.get(0).log1p(), positive(3, 2)),
                on("sqrt", x -> x.get(0).sqrt(), positive(3, 2)),
                on("rsqrt", x -> x.get(0).rsqrt(), positive(3, 2)),
                on("tanh", x -> x.get(0).tanh(), random(3, 2)),
                on("logistic", x -> x.get(0).sigmoid(), random(3, 2)),
                on("sin", x -> x.get(0).sin(), random(3, 2)),
                on("cos", x -> x.get(0).cos(), random(3, 2)),
                on("floor", x -> x.get(0).floor(), random(3, 2)),
                on("ceil", x -> x.get(0).ceil(), random(3, 2)),
                on("relu", x -> x.get(0).relu(), random(3, 2)),
                on("clip", x -> x.get(0).clip(-0.5, 0.5), random(3, 2)),
                on(
                        "convert",
                        x -> x.get(0).cast(DType.F32).cast(DType.F64).mul(0).add(x.get(0)),
                        random(3)),
                on(
                        "stop gradient keeps the rest",
                        x -> x.get(0).mul(2).add(x.get(0).mul(0).stopGradient()),
                        random(3)));
    }

    private static Stream<Case> binary() {
        return Stream.of(
                on("add broadcast", x -> x.get(0).add(x.get(1)), random(3, 2), other(2)),
                on("subtract broadcast", x -> x.get(0).sub(x.get(1)), random(2), other(3, 2)),
                on("multiply", x -> x.get(0).mul(x.get(1)), random(3, 1), other(1, 4)),
                on("divide", x -> x.get(0).div(x.get(1)), random(3, 2), positive(3, 2)),
                on("power", x -> x.get(0).pow(x.get(1)), positive(3, 2), other(3, 2)),
                on(
                        "power of numbers",
                        x ->
                                x.get(0)
                                        .pow(3)
                                        .add(x.get(0).pow(-1))
                                        .add(x.get(0).pow(0.5))
                                        .add(x.get(0).pow(2))
                                        .add(x.get(0).pow(4)),
                        positive(3)),
                on("negative base", x -> x.get(0).pow(5), (HostArray) positive(3).neg()),
                on("maximum", x -> x.get(0).maximum(x.get(1)), random(3, 2), other(3, 2)),
                on("minimum", x -> x.get(0).minimum(x.get(1)), random(3, 2), other(3, 2)),
                on(
                        "remainder",
                        x -> x.get(0).rem(x.get(1)),
                        (HostArray) random(4).mul(5),
                        (HostArray) positive(4)),
                on(
                        "select",
                        x -> x.get(0).gt(x.get(1)).select(x.get(0), x.get(1).mul(3)),
                        random(3, 2),
                        other(3, 2)),
                on("numbers", x -> x.get(0).subFrom(2).add(x.get(0).divInto(3)), positive(3)));
    }

    private static Stream<Case> reductions() {
        return Stream.of(
                on("sum", x -> x.get(0).sum(1), random(2, 3, 2)),
                on("sum all", x -> x.get(0).sum(), random(2, 3)),
                on(
                        "mean keeps dims",
                        x -> x.get(0).sub(x.get(0).meanKeepDims(0, 2)),
                        random(2, 3, 2)),
                on("max", x -> x.get(0).max(0, 2), random(2, 3, 2)),
                on("min", x -> x.get(0).min(-1), random(2, 3)),
                on("product", x -> x.get(0).prod(1), random(2, 3, 2)),
                on("product of two dims", x -> x.get(0).prod(0, 2), random(2, 3, 2)),
                on("product with a zero", x -> x.get(0).prod(), Array.of(2.0, 0.0, -3.0)),
                on("variance", x -> x.get(0).variance(0), random(4, 2)),
                on("softmax", x -> x.get(0).softmax(1), random(2, 4)),
                on("log softmax", x -> x.get(0).logSoftmax(-1), random(2, 4)),
                on("log sum exp", x -> x.get(0).logSumExp(0, 2), random(2, 3, 2)),
                on("max pool", x -> x.get(0).maxPool(2), random(1, 5, 4, 2)),
                on("average pool", x -> x.get(0).avgPool(2), random(1, 4, 5, 2)));
    }

    private static Stream<Case> movements() {
        var indices = Array.of(2, 0, 2, 1);
        var outside = Array.of(7, 0, -3, 1);
        return Stream.of(
                on("broadcast", x -> x.get(0).broadcastTo(2, 3, 4), random(3, 1)),
                on(
                        "broadcast in any order",
                        x -> raw(new Op.BroadcastInDim(Shape.of(3, 5, 2, 4), list(2, 0)), x.get(0)),
                        random(2, 3)),
                on(
                        "broadcast in any order and stretched",
                        x -> raw(new Op.BroadcastInDim(Shape.of(3, 5, 4), list(2, 1, 0)), x.get(0)),
                        random(4, 1, 3)),
                on("reshape", x -> x.get(0).reshape(3, -1), random(2, 3, 2)),
                on("transpose", x -> x.get(0).transpose(2, 0, 1), random(2, 3, 4)),
                on(
                        "expand and squeeze",
                        x -> x.get(0).expandDims(1).mul(2).squeeze(),
                        random(3, 2)),
                on("slice", x -> x.get(0).slice(list(1, 0), list(5, 3), list(2, 1)), random(6, 3)),
                on("slice with a rest", x -> x.get(0).slice(list(0), list(6), list(4)), random(7)),
                on("at", x -> x.get(0).at(1, -1), random(3, 4, 2)),
                on(
                        "pad",
                        x -> x.get(0).pad(list(1, -1), list(0, 2), list(2, 1), 0.5),
                        random(3, 4)),
                on(
                        "pad with a value",
                        x -> raw(new Op.Pad(list(1), list(-1), list(1)), x.get(0), x.get(1)),
                        random(4),
                        random()),
                on(
                        "concatenate",
                        x -> Array.concat(1, x.get(0), x.get(1), x.get(0)),
                        random(2, 3),
                        other(2, 1)),
                on("stack", x -> Array.stack(1, x), random(2, 3), other(2, 3)),
                on("reverse", x -> x.get(0).reverse(0), random(3, 2)),
                on("take", x -> x.get(0).take(indices, 1), random(2, 3, 2)),
                on("take by a table", x -> x.get(0).take(indices.reshape(2, 2), 0), random(3, 2)),
                on("take clamps", x -> x.get(0).take(outside, 0), random(3, 2)),
                on(
                        "scatter add",
                        x -> x.get(0).scatterAdd(indices, x.get(1), 1),
                        random(2, 3, 2),
                        other(2, 4, 2)),
                on(
                        "scatter add drops",
                        x -> x.get(0).scatterAdd(outside, x.get(1), 0),
                        random(3, 2),
                        other(4, 2)));
    }

    private static Stream<Case> products() {
        return Stream.of(
                on("matmul", x -> x.get(0).matmul(x.get(1)), random(2, 3), other(3, 4)),
                on("vector by matrix", x -> x.get(0).matmul(x.get(1)), random(3), other(3, 4)),
                on("matrix by vector", x -> x.get(0).matmul(x.get(1)), random(2, 3), other(3)),
                on("vectors", x -> x.get(0).matmul(x.get(1)), random(3), other(3)),
                on("batched", x -> x.get(0).matmul(x.get(1)), random(2, 1, 2, 3), other(4, 3, 2)),
                on("vector by batch", x -> x.get(0).matmul(x.get(1)), random(3), other(2, 3, 2)),
                on(
                        "dot general",
                        x ->
                                x.get(0)
                                        .dotGeneral(
                                                x.get(1), list(1), list(2), list(3, 0), list(0, 3)),
                        random(2, 3, 4, 5),
                        other(5, 6, 3, 2)),
                on(
                        "same",
                        x -> x.get(0).conv2d(x.get(1), 1, "SAME"),
                        random(2, 4, 5, 2),
                        other(3, 3, 2, 3)),
                on(
                        "valid, stride 2",
                        x -> x.get(0).conv2d(x.get(1), 2, "VALID"),
                        random(1, 6, 5, 2),
                        other(3, 2, 2, 3)),
                on(
                        "same, stride 2",
                        x -> x.get(0).conv2d(x.get(1), 2, "SAME"),
                        random(1, 6, 5, 1),
                        other(3, 3, 1, 2)),
                on(
                        "convolution with everything",
                        x ->
                                raw(
                                        conv(
                                                ints(2, 1),
                                                ints(1, -1),
                                                ints(2, 3),
                                                ints(1, 2),
                                                ints(2, 1)),
                                        x.get(0),
                                        x.get(1)),
                        random(2, 7, 4, 2),
                        other(2, 3, 2, 2)),
                on(
                        "convolution in one dimension",
                        x ->
                                raw(
                                        conv(ints(3), ints(2), ints(0), ints(2), ints(3)),
                                        x.get(0),
                                        x.get(1)),
                        random(2, 8, 3),
                        other(3, 3, 2)));
    }

    @TestFactory
    Stream<DynamicTest> gradientEqualsCentralDifferences() {
        return Stream.of(unary(), binary(), reductions(), movements(), products())
                .flatMap(cases -> cases)
                .map(c -> DynamicTest.dynamicTest(c.name(), () -> check(c)));
    }

    private static void check(Case c) {
        var shape = c.f().apply(new ArrayList<>(c.at())).shape().toArray();
        var weights = other(shape);
        Fn1<List<Array>, Array> loss = x -> c.f().apply(x).mul(weights).sum();
        var found = grad(loss).apply(new ArrayList<>(c.at()));
        assertThat(found).hasSameSizeAs(c.at());
        for (int i = 0; i < c.at().size(); i++) {
            assertNear(c.name(), found.get(i), differences(loss, c.at(), i), 2e-7);
        }
    }

    private static HostArray differences(Fn1<List<Array>, Array> loss, List<HostArray> at, int i) {
        var result = HostArray.zeros(at.get(i).type());
        var bytes = result.bytes();
        for (int k = 0; k < at.get(i).type().shape().size(); k++) {
            double up = loss.apply(moved(at, i, k, STEP)).item();
            double down = loss.apply(moved(at, i, k, -STEP)).item();
            bytes.putDouble((up - down) / (2 * STEP));
        }
        return result;
    }

    private static List<Array> moved(List<HostArray> at, int i, int k, double by) {
        var copy = HostArray.zeros(at.get(i).type());
        copy.bytes().put(at.get(i).bytes());
        copy.bytes().putDouble(8 * k, at.get(i).get(k) + by);
        var list = new ArrayList<Array>(at);
        list.set(i, copy);
        return list;
    }

    @Test
    void tiesShareEvenly() {
        var two = Array.of(1.0, 3.0, 3.0);
        assertThat(grad((Array x) -> x.max()).apply(two).toHost().doubles())
                .containsExactly(0, 0.5, 0.5);
        assertThat(grad((Array x) -> x.maximum(3.0).sum()).apply(two).toHost().doubles())
                .containsExactly(0, 0.5, 0.5);
        assertThat(
                        grad((Array x) -> x.relu().sum())
                                .apply(Array.of(-1.0, 0.0, 1.0))
                                .toHost()
                                .doubles())
                .containsExactly(0, 0, 1);
    }

    @Test
    void gradientOfGradientIsTheSecondDerivative() {
        var second = grad((Array x) -> grad((Array y) -> y.pow(3).sum()).apply(x).sum());
        assertThat(second.apply(Array.of(1.0, 2.0)).toHost().doubles()).containsExactly(6, 12);
        var third = grad((Array x) -> second.apply(x).sum());
        assertThat(third.apply(Array.of(1.0, 2.0)).toHost().doubles()).containsExactly(6, 6);
    }

    @Test
    void innerGradientSeesOuterArrays() {
        // d/dx [ d/dy (x y)^2 at y = x ] = d/dx (2 x^2 x) = 6 x^2
        var f = grad((Array x) -> grad((Array y) -> x.mul(y).square()).apply(x));
        assertThat(f.apply(Array.scalar(2.0)).item()).isEqualTo(24);
        var jitted = jit((Array x, Array c) -> grad((Array y) -> y.mul(c).mul(x)).apply(x).add(c));
        assertThat(jitted.apply(Array.scalar(2.0), Array.scalar(5.0)).item()).isEqualTo(15);
    }

    @Test
    void untouchedLeavesHaveZeroGradient() {
        record Two(Array a, Array b) {}
        var g =
                valueAndGrad((Two t) -> t.a().square().sum())
                        .apply(new Two(Array.of(3.0), Array.of(1.0, 2.0)));
        assertThat(g.value().item()).isEqualTo(9);
        assertThat(g.grad().a().toHost().doubles()).containsExactly(6);
        assertThat(g.grad().b().toHost().doubles()).containsExactly(0, 0);
    }

    @Test
    void onlyFloatScalarsAreDifferentiated() {
        assertThatThrownBy(() -> grad((Array x) -> x.mul(2)).apply(Array.of(1f, 2f)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("f32[2]")
                .hasMessageContaining("mean()");
        assertThatThrownBy(
                        () ->
                                grad((List<Array> x) -> x.get(0).sum().cast(DType.F32))
                                        .apply(List.of(Array.of(1, 2))))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'[0]'")
                .hasMessageContaining("i32[2]");
    }

    private static final Mesh MESH =
            Mesh.of(
                    List.of(new Device(0, 0, 0, 0), new Device(1, 0, 0, 1), new Device(2, 1, 0, 0)),
                    new Axis("r", 3));

    @TestFactory
    Stream<DynamicTest> gradientOfCollectivesIsThatOfWhatTheDevicesYieldTogether() {
        var axes = List.of("r");
        return Stream.<Object[]>of(
                        new Object[] {new Op.AllReduce(Op.ReduceKind.SUM, axes), 3},
                        new Object[] {new Op.AllReduce(Op.ReduceKind.MAX, axes), 3},
                        new Object[] {new Op.AllReduce(Op.ReduceKind.MIN, axes), 3},
                        new Object[] {new Op.AllGather(axes, 0, 3), 2},
                        new Object[] {new Op.ReduceScatter(axes, 0, 3), 6},
                        new Object[] {new Op.ShardOf(axes, 0, 3), 6},
                        new Object[] {new Op.AllToAll("r", 0, 0, 3), 6},
                        new Object[] {
                            new Op.CollectivePermute("r", List.of(0, 1), List.of(1, 2)), 3
                        })
                .map(
                        row ->
                                DynamicTest.dynamicTest(
                                        row[0].toString(),
                                        () -> collective((Op) row[0], (int) row[1])));
    }

    private static void collective(Op op, int size) {
        Fn1<Array, Array> loss = x -> raw(op, x.mul(x)).sin().sum();
        var type = random(size).type();
        var varying = List.of(Set.of("r"));
        var traced = Trace.of("f", List.of(type), varying, args -> loss.apply(args.getFirst()));
        var gradient = Gradient.of(traced.graph(), 1, varying);
        var at = List.of(random(size), other(size), (HostArray) random(size).mul(0.7));
        var found = Lockstep.run(gradient, MESH, List.of(at)).get(1);
        // A result that is equal on all devices counts once.
        boolean once = op instanceof Op.AllReduce || op instanceof Op.AllGather;
        for (int device = 0; device < 3; device++) {
            var wanted = HostArray.zeros(type);
            var bytes = wanted.bytes();
            for (int k = 0; k < size; k++) {
                double up = total(traced.graph(), moved(at, device, k, STEP));
                double down = total(traced.graph(), moved(at, device, k, -STEP));
                bytes.putDouble((up - down) / (2 * STEP) / (once ? 3 : 1));
            }
            assertNear("device " + device, found.get(device), wanted, 1e-7);
        }
    }

    private static double total(org.meshbook.elastic.graph.Graph graph, List<Array> inputs) {
        var shards = inputs.stream().map(Array::toHost).toList();
        return Lockstep.run(graph, MESH, List.of(shards)).getFirst().stream()
                .mapToDouble(Array::item)
                .sum();
    }
}
