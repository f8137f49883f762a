package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Near.assertNear;
import static org.meshbook.elastic.jit.Transform.customVjp;
import static org.meshbook.elastic.jit.Transform.hessian;
import static org.meshbook.elastic.jit.Transform.jacfwd;
import static org.meshbook.elastic.jit.Transform.jacrev;
import static org.meshbook.elastic.jit.Transform.jvp;
import static org.meshbook.elastic.jit.Transform.remat;
import static org.meshbook.elastic.jit.Transform.vjp;
import static org.meshbook.elastic.jit.Transform.vmap;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;

/// Functions made of functions; numbers named JAX's are those of JAX 0.10.2 in float64.
class TransformTest {
    private static final double NEAR = 1e-8;
    private static final Array X = Array.of(0.5, -1.2, 2.0);

    private static HostArray random(long seed, int... dims) {
        return (HostArray) Array.normal(seed, dims).cast(DType.F64);
    }

    /// Whatever operations a random function does, mapping it is calling it for each example.
    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void mappedFunctionIsTheFunctionOfEachExample(@ForAll long seed) {
        var f = new RandomFunction(seed, 6);
        List<Array> one = List.of(random(seed, 6, 12), random(seed + 1, 4, 6, 6, 2));
        var batch = new ArrayList<Array>();
        for (var x : one) {
            var more = random(seed + 7, x.shape().after(2).toArray());
            batch.add(Array.concat(0, x.expandDims(0), more));
        }
        var mapped = vmap(f).apply(batch);
        for (int example = 0; example < 3; example++) {
            int at = example;
            var alone = jit(f).apply(batch.stream().map(x -> x.at(at)).toList());
            for (int i = 0; i < alone.size(); i++) {
                assertNear(
                        "seed %d, result %d, example %d".formatted(seed, i, example),
                        mapped.get(i).at(example),
                        alone.get(i),
                        1e-9);
            }
        }
    }

    /// Forwards and backwards are the same derivative: `ct . J t` either way.
    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void forwardAndReverseModeAgree(@ForAll long seed) {
        var f = new RandomFunction(seed, 6);
        List<Array> at = List.of(random(seed, 6, 12), random(seed + 1, 4, 6, 6, 2));
        List<Array> tangent = List.of(random(seed + 2, 6, 12), random(seed + 3, 4, 6, 6, 2));
        var forward = jvp(f, at, tangent).second();
        var back = vjp(f, at);
        var ones = new ArrayList<Array>();
        double left = 0;
        for (var y : forward) {
            var weights = random(seed + 4, y.shape().toArray());
            ones.add(weights);
            left += y.mul(weights).sum().item();
        }
        var cotangents = back.pullback().apply(ones);
        double right = 0;
        for (int i = 0; i < at.size(); i++) {
            right += cotangents.get(i).mul(tangent.get(i)).sum().item();
        }
        assertThat(left).as("seed %d", seed).isCloseTo(right, within(left));
    }

    private static org.assertj.core.data.Offset<Double> within(double size) {
        return org.assertj.core.data.Offset.offset(1e-7 * Math.max(1, Math.abs(size)));
    }

    private static Array several(Array x) {
        return Array.stack(
                0, List.of(x.at(0).mul(x.at(1)), x.at(2).sin(), x.prod(), x.at(0).pow(3)));
    }

    @Test
    void jacobiansAreJaxs() {
        var wanted =
                Array.of(-1.2, 0.5, 0, 0, 0, -0.41614684, -2.4, 1, -0.6, 0.75, 0, 0).reshape(4, 3);
        assertNear("jacfwd", jacfwd(TransformTest::several).apply(X), wanted, NEAR);
        assertNear("jacrev", jacrev(TransformTest::several).apply(X), wanted, NEAR);
        assertNear(
                "hessian",
                hessian((Array x) -> x.exp().mul(x.sum()).sum()).apply(X).flatten(),
                Array.of(
                        5.44078019,
                        1.94991548,
                        9.03777737,
                        1.94991548,
                        0.9939409,
                        7.69025031,
                        9.03777737,
                        7.69025031,
                        24.38388513),
                NEAR);
    }

    record Dense(Array w, Array b) {}

    private static Array loss(Dense p, Array x) {
        return x.matmul(p.w()).add(p.b()).tanh().square().sum();
    }

    @Test
    void gradientPerExampleSumsToTheGradientOfTheBatch() {
        var p = new Dense(random(1, 3, 2), random(2, 2));
        var xs = random(3, 5, 3);
        var each = vmap(grad(TransformTest::loss), Axes.in(Axes.NONE, 0)).apply(p, xs);
        assertThat(each.w().type()).hasToString("f64[5,3,2]");
        var whole =
                grad((Dense q, Array all) ->
                                vmap(TransformTest::loss, Axes.in(Axes.NONE, 0))
                                        .apply(q, all)
                                        .sum())
                        .apply(p, xs);
        assertNear("w", each.w().sum(0), whole.w(), NEAR);
        assertNear("b", each.b().sum(0), whole.b(), NEAR);
    }

    @Test
    void axesSayWhereExamplesAre() {
        var a = random(1, 3, 4);
        var b = random(2, 3, 5);
        var out =
                jit((Array x, Array y) ->
                                vmap(
                                                (Array u, Array v) -> u.mul(v.sum()),
                                                Axes.in(-1, Axes.NONE).out(1))
                                        .apply(x, y))
                        .apply(a, b);
        assertNear("out", out, a.mul(b.sum()), NEAR);
    }

    @Test
    void mappingTwiceIsAnOuterProduct() {
        var a = random(1, 3);
        var b = random(2, 4);
        var outer = vmap((Array x) -> vmap((Array y) -> x.mul(y)).apply(b)).apply(a);
        assertNear("outer", outer, a.expandDims(1).mul(b), NEAR);
    }

    @Test
    void ownDerivativeIsUsedWhereverTheFunctionIs() {
        var clipped =
                customVjp(
                        (Array x) -> x.square(),
                        (Array x) -> pair(x.square(), x),
                        (Array x, Array ct) -> ct.mul(x).mul(2).clip(-1, 1));
        var x = Array.of(0.2, 3.0);
        assertNear("value", clipped.apply(x), Array.of(0.04, 9), NEAR);
        assertNear(
                "grad", grad((Array y) -> clipped.apply(y).sum()).apply(x), Array.of(0.4, 1), NEAR);
        assertNear(
                "mapped",
                vmap(grad((Array y) -> clipped.apply(y).mul(2))).apply(x),
                Array.of(0.8, 1),
                NEAR);
        var plain =
                customVjp(
                        (Array y) -> y.sin(),
                        (Array y) -> pair(y.sin(), y),
                        (Array y, Array ct) -> ct.mul(y.cos()));
        assertNear(
                "forwards",
                jvp(plain, Array.scalar(0.3), Array.scalar(2.0)).second(),
                Array.scalar(2 * Math.cos(0.3)),
                NEAR);
        assertNear(
                "twice",
                grad(grad((Array y) -> plain.apply(y))).apply(Array.scalar(0.3)),
                Array.scalar(-Math.sin(0.3)),
                NEAR);
    }

    @Test
    void ownDerivativeOfTwoArgumentsMayUseWhatIsAround() {
        var f =
                jit(
                        (Array scale, Array a, Array b) -> {
                            var times =
                                    customVjp(
                                            (Array x, Array y) -> x.mul(y).mul(scale),
                                            (Array x, Array y) ->
                                                    pair(x.mul(y).mul(scale), pair(x, y)),
                                            (org.meshbook.elastic.array.Pair<Array, Array> kept,
                                                    Array ct) ->
                                                    pair(
                                                            ct.mul(kept.second()).mul(scale),
                                                            ct.mul(kept.first())
                                                                    .mul(scale)
                                                                    .mul(10)));
                            return grad((Array x) -> times.apply(x, x)).apply(a).add(b);
                        });
        assertNear(
                "grad",
                f.apply(Array.scalar(2.0), Array.scalar(3.0), Array.scalar(0.0)),
                Array.scalar(66.0),
                NEAR);
    }

    @Test
    void rematChangesNoNumberAndComputesAgain() {
        var x = random(4, 6);
        Fn1<Array, Array> layer = a -> a.sin().tanh().exp();
        Fn1<Array, Array> plain = a -> layer.apply(layer.apply(a)).sum();
        Fn1<Array, Array> again = a -> remat(layer).apply(remat(layer).apply(a)).sum();
        assertNear("value", jit(again).apply(x), jit(plain).apply(x), NEAR);
        assertNear("grad", grad(again).apply(x), grad(plain).apply(x), NEAR);
        assertNear(
                "mapped",
                vmap(grad(again)).apply(random(5, 3, 6)),
                vmap(grad(plain)).apply(random(5, 3, 6)),
                NEAR);
        assertNear(
                "twice",
                grad((Array a) -> grad(again).apply(a).sum()).apply(x),
                grad((Array a) -> grad(plain).apply(a).sum()).apply(x),
                NEAR);
        assertThat(count(grad(plain).lower(x).text(), "stablehlo.sine")).isEqualTo(2);
        assertThat(count(grad(again).lower(x).text(), "stablehlo.sine")).isEqualTo(4);
        assertThat(grad(again).lower(x).text()).contains("stablehlo.optimization_barrier");
    }

    private static int count(String text, String word) {
        return text.split(word, -1).length - 1;
    }

    @Test
    void integersHaveNoDerivative() {
        var out =
                vjp(
                        (org.meshbook.elastic.array.Pair<Array, Array> p) ->
                                p.first().take(p.second(), 0),
                        pair((Array) X, (Array) Array.of(2, 0)));
        var back = out.pullback().apply(Array.of(1., 10));
        assertNear("float", back.first(), Array.of(10., 0, 1), NEAR);
        assertThat(back.second()).isEqualTo(Array.zeros(DType.I32, 2));
    }

    @Test
    void whatDoesNotFitIsNamed() {
        assertThatThrownBy(
                        () ->
                                vmap((Array a, Array b) -> a.add(b))
                                        .apply(random(1, 4, 3), random(2, 5, 3)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "vmap: argument 1 is f64[4,3] with 4 examples along axis 0, argument 2 is"
                                + " f64[5,3] with 5 along axis 0; they must be equally many");
        assertThatThrownBy(() -> vmap((Array a) -> a).apply(Array.scalar(1.0)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("has no axis 0 to map along");
        assertThatThrownBy(() -> jvp((Array a) -> a, X, Array.of(1., 2)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("f64[3] in the primal and f64[2] in the tangent");
        assertThatThrownBy(
                        () ->
                                customVjp(
                                                (Array a) -> a,
                                                (Array a) -> pair(a, a),
                                                (Array a, Array ct) -> ct.sum())
                                        .apply(X))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("f64[3] in the argument of f and f64[] in the result of bwd");
    }

    @Test
    void valueThatDecidesOffersWhereAndCond() {
        assertThatThrownBy(() -> jit((Array a) -> a.sum().item() > 0 ? a : a.neg()).apply(X))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("where")
                .hasMessageContaining("cond");
    }
}
