package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.jit.Jit.grad;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;

/// Elementary functions and their slopes beside the numbers that JAX 0.10.2 printed with x64 on.
class FunctionsTest {
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final double NAN = Double.NaN;

    private static Array one(String name, Array x) {
        return switch (name) {
            case "cbrt" -> x.cbrt();
            case "erf" -> x.erf();
            case "erfinv" -> x.erfinv();
            case "tan" -> x.tan();
            case "asin" -> x.asin();
            case "acos" -> x.acos();
            case "atan" -> x.atan();
            case "sinh" -> x.sinh();
            case "cosh" -> x.cosh();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Array two(String name, Array x, Array y) {
        return switch (name) {
            case "atan2" -> x.atan2(y);
            case "logaddexp" -> x.logaddexp(y);
            case "floorMod" -> x.floorMod(y);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "cbrt, -0.7, -0.8879040017426008, 0.4228114294012384",
        "cbrt, 0.3, 0.6694329500821694, 0.7438143889801886",
        "erf, -0.7, -0.6778011938374184, 0.6912748604105386",
        "erf, 0.3, 0.3286267594591274, 1.031260909618963",
        "erfinv, -0.7, -0.7328690779592166, 1.5163632173337638",
        "erfinv, 0.3, 0.2724627147267544, 0.9545203588405493",
        "erfinv, 0.95, 1.385903824349678, 6.049327886384238",
        "tan, -0.7, -0.8422883804630794, 1.7094497158631172",
        "tan, 0.95, 1.398382589287699, 2.95547386602297",
        "asin, -0.7, -0.7753974966107531, 1.4002800840280099",
        "asin, 0.95, 1.2532358975033753, 3.2025630761017414",
        "acos, -0.7, 2.34619382340565, -1.4002800840280099",
        "acos, 0.95, 0.3175604292915215, -3.2025630761017414",
        "atan, -0.7, -0.6107259643892086, 0.6711409395973155",
        "atan, 0.95, 0.7597627548757708, 0.5256241787122208",
        "sinh, -0.7, -0.7585837018395334, 1.255169005630943",
        "sinh, 0.3, 0.3045202934471426, 1.0453385141288605",
        "cosh, -0.7, 1.255169005630943, -0.7585837018395334",
        "cosh, 0.95, 1.4862253413851736, 1.0994843179306724"
    })
    void functionsOfOneNumberAndTheirSlopes(String name, double x, double value, double slope) {
        var at = Array.scalar(x);
        assertThat(one(name, at).item()).isCloseTo(value, within(1e-14));
        assertThat(grad((Array v) -> one(name, v)).apply(at).item())
                .isCloseTo(slope, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({
        "atan2, 1.5, -2, 2.498091544796509, -0.32, -0.24",
        "atan2, -0.5, 0.25, -1.1071487177940904, 0.8, 1.6",
        "atan2, -3, -4, -2.498091544796509, -0.16, 0.12",
        "logaddexp, 1.5, -2, 1.5297504182726205, 0.9706877692486438, 0.029312230751356323",
        "logaddexp, -3, -4, -2.6867383124817774, 0.731058578630005, 0.2689414213699952",
        "floorMod, 1.5, -2, -0.5, 1, 1",
        "floorMod, -0.5, 0.25, 0, 1, 2",
        "floorMod, -3, -4, -3, 1, 0"
    })
    void functionsOfTwoNumbersAndTheirSlopes(
            String name, double x, double y, double value, double left, double right) {
        var a = Array.scalar(x);
        var b = Array.scalar(y);
        assertThat(two(name, a, b).item()).isCloseTo(value, within(1e-14));
        assertThat(grad((Array v) -> two(name, v, b)).apply(a).item())
                .isCloseTo(left, within(1e-14));
        assertThat(grad((Array v) -> two(name, a, v)).apply(b).item())
                .isCloseTo(right, within(1e-14));
    }

    @Test
    void divisionRoundsDownAsPythonDoes() {
        var i = Array.of(7, -7, 7, -7, 0);
        var j = Array.of(2, 2, -2, -2, 3);
        assertThat(i.floorDivide(j).toHost().ints()).containsExactly(3, -4, -4, 3, 0);
        assertThat(i.floorMod(j).toHost().ints()).containsExactly(1, 1, -1, -1, 0);
        var x = Array.of(7.5, -7.5, 7.5, -7.5, 0, INF, 1, -1, 1);
        var y = Array.of(2.0, 2, -2, -2, 3, 2, INF, INF, 0);
        assertThat(x.floorDivide(y).toHost().doubles())
                .containsExactly(3, -4, -4, 3, 0, NAN, 0, -1, INF);
        assertThat(x.floorMod(y).toHost().doubles())
                .containsExactly(1.5, 0.5, -0.5, -1.5, 0, NAN, 1, INF, NAN);
        assertThat(Array.of(7.5, -7.5).floorDivide(2).toHost().doubles()).containsExactly(3, -4);
    }

    @Test
    void tiesAreRoundedAsNumpyDoesOrAway() {
        var x = Array.of(0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, -1.7);
        assertThat(x.round().toHost().doubles()).containsExactly(0, 2, 2, -0.0, -2, 0, -2);
        assertThat(x.roundAway().toHost().doubles()).containsExactly(1, 2, 3, -1, -2, 0, -2);
        assertThat(x.trunc().toHost().doubles()).containsExactly(0, 1, 2, -0.0, -1, 0, -1);
        assertThat(Array.of(3, -3).round().toHost().ints()).containsExactly(3, -3);
    }

    @Test
    void endsOfTheRangeAreKept() {
        assertThat(
                        Array.of(INF, -INF, INF, NAN, 1000)
                                .logaddexp(Array.of(INF, -INF, -INF, 0, 1000))
                                .toHost()
                                .doubles())
                .containsExactly(INF, -INF, INF, NAN, 1000 + Math.log(2));
        assertThat(Array.of(89f, 1e-8f).sinh().toHost().doubles()[0])
                .isCloseTo(2.2448e38, within(1e34));
        assertThat(Array.of(1e-8f).sinh().toHost().floats()).containsExactly(1e-8f);
        assertThat(Array.of(1f, -1f, 2f).asin().toHost().floats())
                .containsExactly(1.5707964f, -1.5707964f, Float.NaN);
        assertThat(Array.of(1.0, -1, 1.5).erfinv().toHost().doubles())
                .containsExactly(INF, -INF, NAN);
        var x = Array.of(1, NAN, INF, -INF);
        assertThat(x.isFinite().toHost().booleans()).containsExactly(true, false, false, false);
        assertThat(x.isNan().toHost().booleans()).containsExactly(false, true, false, false);
        assertThat(x.isInf().toHost().booleans()).containsExactly(false, false, true, true);
        assertThat(Array.of(1).isFinite().toHost().booleans()).containsExactly(true);
    }

    @Test
    void bitsAreCountedAndMoved() {
        var x = Array.of(-1, 7, 0, -128).cast(DType.I8);
        assertThat(x.popcount().toHost().ints()).containsExactly(8, 3, 0, 1);
        assertThat(Array.of(-1, 7).popcount().toHost().ints()).containsExactly(32, 3);
        assertThat(x.shiftRight(1).toHost().ints()).containsExactly(-1, 3, 0, -64);
        assertThat(x.shiftRightLogical(1).toHost().ints()).containsExactly(127, 3, 0, 64);
        assertThat(x.shiftLeft(7).toHost().ints()).containsExactly(-128, -128, 0, 0);
        assertThat(x.cast(DType.U8).shiftRight(1).toHost().ints()).containsExactly(127, 3, 0, 64);
        assertThat(Array.of(6, 5).xor(Array.of(3, 5)).toHost().ints()).containsExactly(5, 0);
        assertThat(Array.of(6, 5).and(Array.of(3, 5)).toHost().ints()).containsExactly(2, 5);
        assertThat(Array.of(0, 5).not().toHost().ints()).containsExactly(-1, -6);
    }
}
