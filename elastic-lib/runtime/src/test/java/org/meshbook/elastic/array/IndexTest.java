package org.meshbook.elastic.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// Indexing, sorting and their like; numbers are those of JAX 0.10.2 on the same arrays.
class IndexTest {
    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final Array X = Array.iota(DType.F32, 24).reshape(2, 3, 4);
    private static final Array I = Array.of(1, 0);
    private static final Array J = Array.of(2, -1);

    private static void is(Array found, Shape shape, double... values) {
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.toHost().doubles()).containsExactly(values, within(1e-6));
    }

    private static void is(Array found, double... values) {
        is(found, Shape.of(values.length), values);
    }

    @Test
    void partsAreReadAsNumPyReadsThem() {
        is(X.index(I, J).get(), Shape.of(2, 4), 20, 21, 22, 23, 8, 9, 10, 11);
        is(X.index(I, Index.all(), J).get(), Shape.of(2, 3), 14, 18, 22, 3, 7, 11);
        is(
                X.index(Index.all(), J).get(),
                Shape.of(2, 2, 4),
                8,
                9,
                10,
                11,
                8,
                9,
                10,
                11,
                20,
                21,
                22,
                23,
                20,
                21,
                22,
                23);
        is(X.index(Index.at(0), Index.from(1), J).get(), Shape.of(2, 2), 6, 10, 7, 11);
        is(X.index(Index.at(0), Index.all(), J).get(), Shape.of(2, 3), 2, 6, 10, 3, 7, 11);
        is(
                X.index(I, Index.from(1), Index.span(2, 9)).get(),
                Shape.of(2, 2, 2),
                18,
                19,
                22,
                23,
                6,
                7,
                10,
                11);
        is(X.index(-1, 0).get(), 12, 13, 14, 15);
        is(X.index(Index.at(1), Index.at(2), Index.span(-3, -1)).get(), 21, 22);
        is(X.index(Array.scalar(1), Array.scalar(1)).get(), 16, 17, 18, 19);
        is(X.index(Index.all()).get(), Shape.of(2, 3, 4), X.toHost().doubles());
    }

    @Test
    void changesAreMadeInACopyAsJaxMakesThem() {
        var v = Array.iota(DType.F32, 5);
        var at = v.index(Array.of(1, 1, -1, 7, -9));
        var u = Array.of(10f, 20, 30, 40, 50);
        is(at.get(), 1, 1, 4, 4, 0);
        is(at.set(u), 0, 20, 2, 3, 30);
        is(at.add(u), 0, 31, 2, 3, 34);
        is(at.mul(u), 0, 200, 2, 3, 120);
        is(at.max(u), 0, 20, 2, 3, 30);
        is(at.min(u), 0, 1, 2, 3, 4);
        is(at.set(7), 0, 7, 2, 3, 7);
        is(v, 0, 1, 2, 3, 4);
        is(v.index(Index.span(1, 3)).add(10), 0, 11, 12, 3, 4);
        is(v.index(2).max(Array.scalar(9f)), 0, 1, 9, 3, 4);
        is(v.index(Index.span(4, 2)).set(9), 0, 1, 2, 3, 4);
    }

    @Test
    void anIndexThatDoesNotFitSaysWhy() {
        assertThatThrownBy(() -> X.index(0, 3))
                .isInstanceOf(UsageError.class)
                .hasMessage("index 3 is outside dimension 1 of f32[2,3,4]");
        assertThatThrownBy(() -> X.index(0, 0, 0, 0))
                .isInstanceOf(UsageError.class)
                .hasMessage("f32[2,3,4] has 3 dimensions, the index 4; leave some out");
        assertThatThrownBy(() -> X.index(Array.of(true, false)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("i1[2]")
                .hasMessageContaining("where(...)");
        assertThatThrownBy(() -> X.index(I, Array.of(0, 1, 2)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("i32[2] and i32[3] do not broadcast");
        assertThatThrownBy(() -> X.index(0).set(Array.zeros(DType.F64, 3, 4)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("f32[2,3,4] and f64[3,4] differ in dtype");
    }

    @Test
    void computedStartsAreMovedInside() {
        var x = Array.arange(12).reshape(3, 4);
        is(x.dynamicSlice(List.of(Array.scalar(9), Array.scalar(-5)), 1, 2), Shape.of(1, 2), 8, 9);
        is(x.dynamicSlice(-1, Array.scalar(1), 1), Shape.of(3, 1), 1, 5, 9);
        is(
                x.dynamicUpdate(1, Array.of(-1, -2, -3).reshape(3, 1), Array.scalar(9)),
                Shape.of(3, 4),
                0,
                1,
                2,
                -1,
                4,
                5,
                6,
                -2,
                8,
                9,
                10,
                -3);
        assertThatThrownBy(() -> x.dynamicSlice(List.of(Array.scalar(1)), 1, 2))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("1 starts for the 2 dimensions of i32[3,4]");
        assertThatThrownBy(
                        () -> x.dynamicUpdate(0, Array.arange(15).reshape(3, 5), Array.scalar(0)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("i32[3,5] does not fit into i32[3,4]");
    }

    @Test
    void nanSortsLastAndEqualsKeepTheirOrder() {
        var x = Array.of(3, NAN, 1, 2, INF, -0.0, 0, 1, -INF, NAN);
        is(x.sort(0), -INF, 0, 0, 1, 1, 2, 3, INF, NAN, NAN);
        is(x.argsort(0), 8, 5, 6, 2, 7, 3, 0, 4, 1, 9);
        is(x.sortDescending(0), NAN, NAN, INF, 3, 2, 1, 1, 0, 0, -INF);
        is(x.topK(5).values(), NAN, NAN, INF, 3, 2);
        is(x.topK(5).indices(), 1, 9, 4, 0, 3);
        is(Array.of(true, false, true).argsort(0), 1, 0, 2);
        assertThatThrownBy(() -> x.topK(11))
                .isInstanceOf(UsageError.class)
                .hasMessage("topK: 11 of f64[10]; use 0 to 10");
    }

    @Test
    void placesOfTheSmallest() {
        is(Array.of(2, 1, 1, 3, 3, 0).reshape(2, 3).argmin(1), 1, 2);
        is(Array.of(2, NAN, 1, NAN).reshape(1, 4).argmin(1), 1);
        is(Array.of(4, 1, 3, 2, 1, NAN, 2, 3).reshape(2, 4).median(1), 2.5, NAN);
        is(Array.of(5.0, 1, 3).reshape(1, 3).median(1), 3);
    }

    @Test
    void runningResultsGoOnFromWhatCameBefore() {
        is(Array.of(1, NAN, 2).cumsum(0), 1, NAN, NAN);
        is(Array.of(3, 1, 4, 1, 5).cummaxReverse(0), 5, 5, 5, 5, 5);
        is(Array.of(2, 3, 4).cumprod(0), 2, 6, 24);
        is(Array.of(true, false, true).cumsum(0), 1, 1, 2);
        is(Array.of(3, 1, 4).cummin(0), 3, 1, 1);
        is(Array.arange(6).reshape(2, 3).cumsumReverse(0), Shape.of(2, 3), 3, 5, 7, 3, 4, 5);
        is(Array.zeros(0).cumsum(0));
    }

    @Test
    void windowsKeepTheFirstOfEquals() {
        var y = Array.of(1, 1, 0, 2, 1, 0, 2, 2, 0, 3, 3, 0, 3, 0, 0, NAN).reshape(1, 4, 4, 1);
        is(y.maxPool(3, 2, "SAME"), Shape.of(1, 2, 2, 1), 3, 3, 3, NAN);
        is(Array.ones(1, 3, 3, 1).avgPool(2, 2, "SAME"), Shape.of(1, 2, 2, 1), 1, 0.5, 0.5, 0.25);
        is(Array.ones(1, 5, 4, 1).maxPool(6), Shape.of(1, 0, 0, 1));
        assertThatThrownBy(() -> y.maxPool(2, 0, "SAME"))
                .hasMessage("maxPool: stride 0 is below 1");
        assertThatThrownBy(() -> y.maxPool(2, 1, "FULL")).hasMessageContaining("\"VALID\"");
    }

    @Test
    void statisticsAreThoseOfJax() {
        var x = Array.of(1.0, 2, 4);
        is(x.varianceDdof(1), Shape.SCALAR, 7 / 3.0);
        is(x.stdDdof(1), Shape.SCALAR, 1.5275252);
        is(Array.of(0.0, 0.5).any(), Shape.SCALAR, 1);
        is(Array.of(1.0, 0.5).all(), Shape.SCALAR, 1);
        is(Array.of(3.0, 4).norm(), Shape.SCALAR, 5);
        var e = Array.of(-INF, -INF, 0, INF, 1, 2).reshape(3, 2);
        is(e.logSumExp(1), -INF, INF, 2.3132617);
    }

    @Test
    void partsAreArrangedAnew() {
        is(Array.arange(5).roll(2, 0), 3, 4, 0, 1, 2);
        var m = Array.of(1, 2, 3, 4).reshape(2, 2);
        is(m.tile(2, 1, 2), Shape.of(2, 2, 4), 1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4);
        is(m.repeat(2, 1), Shape.of(2, 4), 1, 1, 2, 2, 3, 3, 4, 4);
        is(Array.arange(1, 7, 1).reshape(2, 3).triu(1), Shape.of(2, 3), 0, 2, 3, 0, 0, 6);
        is(m.tril(), Shape.of(2, 2), 1, 0, 3, 4);
        is(Array.arange(6).reshape(2, 3).diagonal(1), 1, 5);
        is(Array.of(5, 6).diag(), Shape.of(2, 2), 5, 0, 0, 6);
        is(Array.of(5, 6).diag().diag(), Shape.of(2), 5, 6);
        is(Array.linspace(0, 1, 5), 0, 0.25, 0.5, 0.75, 1);
        is(Array.meshgrid(Array.of(1, 2), Array.of(4, 5)).first(), Shape.of(2, 2), 1, 2, 1, 2);
        is(Array.meshgrid(Array.of(1, 2), Array.of(4, 5)).second(), Shape.of(2, 2), 4, 4, 5, 5);
        is(Array.eye(2), Shape.of(2, 2), 1, 0, 0, 1);
        assertThat(X.moveAxis(0, 1).shape()).isEqualTo(Shape.of(3, 2, 4));
        assertThat(X.split(2, -1)).hasSize(2);
        assertThatThrownBy(() -> X.split(3, -1))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("dimension 2 of f32[2,3,4] does not divide into 3 parts");
    }

    @Test
    void elementsAreTakenAlongAnAxis() {
        var x = Array.arange(6).reshape(2, 3);
        var along = Array.of(2, -1, 0, 1).reshape(2, 2);
        is(x.takeAlongAxis(along, 1), Shape.of(2, 2), 2, 2, 3, 4);
        assertThatThrownBy(() -> x.takeAlongAxis(Array.arange(3).reshape(3, 1), 1))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("i32[3,1] do not go along i32[2,3]");
    }

    @Test
    void productsByLetters() {
        var a = Array.iota(DType.F32, 6).reshape(2, 3);
        var b = Array.iota(DType.F32, 12).reshape(3, 4);
        is(a.tensordot(b, 1), Shape.of(2, 4), 20, 23, 26, 29, 56, 68, 80, 92);
        is(Array.einsum("ij,jk", a, b), Shape.of(2, 4), 20, 23, 26, 29, 56, 68, 80, 92);
        is(Array.einsum("ij, jk -> k", a, b), 76, 91, 106, 121);
        is(Array.einsum("ji", a), Shape.of(3, 2), 0, 3, 1, 4, 2, 5);
        is(Array.einsum("ii", Array.arange(4).reshape(2, 2)), Shape.SCALAR, 3);
        is(Array.of(1, 2).outer(Array.of(3, 4)), Shape.of(2, 2), 3, 4, 6, 8);
        assertThatThrownBy(() -> Array.einsum("ij,jk->ik", a, a))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "einsum 'ij,jk->ik': 'j' is 3 in f32[2,3] and 2 in f32[2,3]; sizes must be"
                                + " equal");
        assertThatThrownBy(() -> Array.einsum("ijk", a))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("3 letters for the 2 dimensions of f32[2,3]");
        assertThatThrownBy(() -> Array.einsum("ij->z", a)).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> Array.einsum("ij,jk->ik", a))
                .hasMessageContaining("2 arrays, got 1");
        assertThatThrownBy(() -> Array.einsum("i...", a)).hasMessageContaining("letters, commas");
    }
}
