package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Flow.cond;
import static org.meshbook.elastic.jit.Flow.foriLoop;
import static org.meshbook.elastic.jit.Flow.scan;
import static org.meshbook.elastic.jit.Flow.whileLoop;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Near.assertNear;
import static org.meshbook.elastic.jit.Transform.hessian;
import static org.meshbook.elastic.jit.Transform.jvp;
import static org.meshbook.elastic.jit.Transform.vmap;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Pair;

/// Control flow; numbers named JAX's are those of JAX 0.10.2 in float64.
class FlowTest {
    private static final double NEAR = 1e-8;

    record Rnn(Array w, Array h, Array xs) {}

    static final Rnn AT =
            new Rnn(
                    Array.of(0.5, -0.3, 0.2, 0.8).reshape(2, 2),
                    Array.of(0.1, -0.2),
                    Array.of(1., 2, 0.5, -1, -0.7, 0.3).reshape(3, 2));

    static Pair<Array, Array> rnn(Rnn p) {
        return scan(
                (Array h, Array x) -> {
                    var next = p.w().matmul(h).add(x).tanh();
                    return pair(next, next.square());
                },
                p.h(),
                p.xs());
    }

    static Array loss(Rnn p) {
        var out = rnn(p);
        var weights = Array.iota(DType.F64, 6).add(1).reshape(3, 2);
        return out.first().sum().add(out.second().mul(weights).sum());
    }

    @Test
    void scanCarriesAndStacksAsJaxDoes() {
        var out = rnn(AT);
        assertNear("carry", out.first(), Array.of(-0.38224341, 0.33476519), NEAR);
        assertNear(
                "stacked",
                out.second().flatten(),
                Array.of(0.64651633, 0.90759698, 0.30084782, 0.00591244, 0.14611003, 0.11206773),
                NEAR);
    }

    @Test
    void scanIsDifferentiatedByWhatItUsesCarriesAndGoesOver() {
        var g = grad(FlowTest::loss).apply(AT);
        assertNear(
                "w",
                g.w().flatten(),
                Array.of(0.47105352, 1.92928327, 5.43483819, 3.02197457),
                NEAR);
        assertNear("h", g.h(), Array.of(0.71002703, 0.09309332), NEAR);
        assertNear(
                "xs",
                g.xs().flatten(),
                Array.of(1.19435427, 0.5642495, 2.08133079, 3.65010064, -2.41004821, 4.45491806),
                NEAR);
    }

    @Test
    void scanIsDifferentiatedTwice() {
        var h = hessian((Array h0) -> loss(new Rnn(AT.w(), h0, AT.xs()))).apply(AT.h());
        assertNear(
                "hessian",
                h.flatten(),
                Array.of(-0.41537496, 0.09979808, 0.09979808, -0.79051461),
                NEAR);
    }

    @Test
    void constantsOfALoopAreNotStackedForItsWayBack() {
        var text = grad(FlowTest::loss).lower(AT).text();
        assertThat(text).contains("stablehlo.while").doesNotContain("tensor<3x2x2xf64>");
    }

    private static Pair<Array, Array> squares(Array x) {
        return whileLoop(
                (Pair<Array, Array> s) -> s.first().lt(100),
                (Pair<Array, Array> s) ->
                        pair(s.first().square().add(s.second()), s.second().mul(1.5)),
                pair(x, x.mul(0.5)));
    }

    @Test
    void whileLoopStopsAndIsDifferentiatedForwards() {
        var out = jvp(FlowTest::squares, Array.scalar(1.7), Array.scalar(1.0));
        assertNear("value", out.first().first(), Array.scalar(234.85945876), NEAR);
        assertNear("second", out.first().second(), Array.scalar(2.86875), NEAR);
        assertNear("tangent", out.second().first(), Array.scalar(914.5000344), NEAR);
        assertNear("its second", out.second().second(), Array.scalar(1.6875), NEAR);
    }

    @Test
    void whileLoopSaysThatItIsNotDifferentiableBackwards() {
        assertThatThrownBy(() -> grad((Array x) -> squares(x).first()).apply(Array.scalar(1.7)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("not differentiable backwards")
                .hasMessageContaining("use scan");
    }

    @Test
    void mappedWhileLoopLetsEachExampleStopAlone() {
        var out = vmap(FlowTest::squares).apply(Array.of(1.7, 3, 11, 200));
        assertNear("values", out.first(), Array.of(234.85945876, 112.5, 126.5, 200), NEAR);
        assertNear("seconds", out.second(), Array.of(2.86875, 3.375, 8.25, 100), NEAR);
    }

    private static Array sines(Array x) {
        return foriLoop(
                0, 5, (Array i, Array s) -> s.sin().mul(i.add(1).cast(DType.F64)).add(x), x);
    }

    @Test
    void foriLoopIsDifferentiatedTwice() {
        var x = Array.scalar(0.3);
        assertNear("value", sines(x), Array.scalar(-0.6909423429414534), NEAR);
        var first = grad(FlowTest::sines);
        assertNear("first", first.apply(x), Array.scalar(-50.2335698028066), NEAR);
        assertNear("second", grad(first).apply(x), Array.scalar(1206.1980359444692), NEAR);
    }

    @Test
    void foriLoopTakesBoundsThatAreComputed() {
        var sum =
                jit(
                        (Array n) ->
                                foriLoop(
                                        Array.scalar(0),
                                        n,
                                        (Array i, Array s) -> s.add(i),
                                        Array.scalar(0)));
        assertThat(sum.apply(Array.scalar(10)).item()).isEqualTo(45);
        assertThat(sum.apply(Array.scalar(0)).item()).isEqualTo(0);
        assertThat(sum.traces()).isEqualTo(1);
    }

    private static Array either(Array x) {
        return cond(x.sum().gt(0), x, (Array y) -> y.pow(3).sum(), (Array y) -> y.exp().sum());
    }

    @Test
    void condTakesOneBranchAndItsGradient() {
        assertNear("yes", either(Array.of(1., 2)), Array.scalar(9.0), NEAR);
        assertNear("no", either(Array.of(-1, 0.5)), Array.scalar(2.0166007118715705), NEAR);
        var g = grad(FlowTest::either);
        assertNear("yes", g.apply(Array.of(1., 2)), Array.of(3., 12), NEAR);
        assertNear("no", g.apply(Array.of(-1, 0.5)), Array.of(0.36787944, 1.64872127), NEAR);
        var rows = Array.of(1., 2, -1, 0.5).reshape(2, 2);
        assertNear(
                "mapped",
                vmap(g).apply(rows),
                Array.of(3., 12, 0.36787944, 1.64872127).reshape(2, 2),
                NEAR);
    }

    @Test
    void endlessLoopStopsWhenAsked() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(
                            () ->
                                    whileLoop(
                                            (Array x) -> x.ge(0),
                                            (Array x) -> x,
                                            (Array) Array.scalar(1f)))
                    .isInstanceOf(Interrupted.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void treesOfAnyKindAreCarried() {
        var out =
                scan(
                        (Map<String, List<Array>> s, Array x) ->
                                pair(Map.of("a", List.of(leaf(s).add(x))), List.<Array>of()),
                        Map.of("a", List.of((Array) Array.scalar(1f))),
                        Array.of(1f, 2f, 3f));
        assertThat(leaf(out.first()).item()).isEqualTo(7);
    }

    private static Array leaf(Map<String, List<Array>> tree) {
        return tree.values().iterator().next().getFirst();
    }

    @Test
    void scanOfNothingYieldsItsFirstCarry() {
        var out = scan((Array s, Array x) -> pair(s.add(x), x), Array.scalar(2f), Array.zeros(0));
        assertThat(out.first().item()).isEqualTo(2);
        assertThat(out.second().type()).hasToString("f32[0]");
    }

    @Test
    void carryThatChangesIsNamed() {
        assertThatThrownBy(
                        () ->
                                scan(
                                        (Pair<Array, Array> s, Array x) ->
                                                pair(pair(s.first(), x.add(s.second())), x),
                                        pair((Array) Array.scalar(1f), (Array) Array.scalar(2f)),
                                        Array.zeros(4, 3)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageStartingWith(
                        "scan: leaf 'second' is f32[] in the carry that goes in and f32[3] in the"
                                + " carry that comes out");
        assertThatThrownBy(
                        () ->
                                cond(
                                        Array.of(true).at(0),
                                        Array.scalar(1f),
                                        (Array x) -> x,
                                        (Array x) -> x.cast(DType.F64)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("f32[] in the result where true and f64[]");
        assertThatThrownBy(
                        () -> whileLoop((Array x) -> x, (Array x) -> x, (Array) Array.scalar(1f)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("the predicate is f32[]; it must be one truth value");
        assertThatThrownBy(
                        () ->
                                scan(
                                        (Array s, Pair<Array, Array> x) -> pair(s, s),
                                        Array.scalar(1f),
                                        pair(Array.zeros(3), Array.zeros(4, 2))))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("leaf 'first' of xs is f32[3], leaf 'second' is f32[4,2]");
    }

    @Test
    void loopsCompileOnceWhateverTheirLength() {
        HostArray xs = Array.normal(1, 50, 2);
        var step =
                jit(
                        (Array h, Array x) ->
                                scan((Array s, Array e) -> pair(s.add(e).tanh(), s), h, x)
                                        .second());
        var graph = step.lower(Array.zeros(2), xs).graph();
        assertThat(graph.nodes()).hasSizeLessThan(4);
    }
}
