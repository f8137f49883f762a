package org.meshbook.elastic.engine.reference;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.CompareKind;
import org.meshbook.elastic.array.Op.UnaryKind;

/// Operations that compute element `i` of the result from the operands' elements `i`.
final class Elementwise {
    private Elementwise() {}

    static void unary(UnaryKind kind, Elements in, Elements out) {
        if (in.isFloat()) {
            var function = real(kind);
            for (int i = 0; i < out.size(); i++) {
                out.real(i, function.applyAsDouble(in.real(i)));
            }
        } else {
            var function = Integers.unary(kind, in.dtype());
            for (int i = 0; i < out.size(); i++) {
                out.integer(i, function.applyAsLong(in.integer(i)));
            }
        }
    }

    static void binary(BinaryKind kind, Elements lhs, Elements rhs, Elements out) {
        if (lhs.isFloat()) {
            var function = real(kind, lhs.dtype());
            for (int i = 0; i < out.size(); i++) {
                out.real(i, function.applyAsDouble(lhs.real(i), rhs.real(i)));
            }
        } else {
            var function = Integers.binary(kind, lhs.dtype());
            for (int i = 0; i < out.size(); i++) {
                out.integer(i, function.applyAsLong(lhs.integer(i), rhs.integer(i)));
            }
        }
    }

    static void compare(CompareKind kind, Elements lhs, Elements rhs, Elements out) {
        boolean isFloat = lhs.isFloat();
        var order = Integers.order(lhs.dtype());
        for (int i = 0; i < out.size(); i++) {
            boolean holds =
                    isFloat
                            ? holds(kind, lhs.real(i), rhs.real(i))
                            : holds(kind, order.compare(lhs.integer(i), rhs.integer(i)), 0);
            out.integer(i, holds ? 1 : 0);
        }
    }

    static void select(Elements predicate, Elements onTrue, Elements onFalse, Elements out) {
        for (int i = 0; i < out.size(); i++) {
            out.copy(i, predicate.integer(i) != 0 ? onTrue : onFalse, i);
        }
    }

    /// Floats to integers: towards zero, out of range saturates, NaN is 0. To BOOL: not equal 0.
    static void convert(Elements in, Elements out) {
        for (int i = 0; i < out.size(); i++) {
            if (in.isFloat()) {
                Encoding.number(out.data(), out.dtype(), i, in.real(i));
            } else if (!out.isFloat()) {
                out.integer(i, in.integer(i));
            } else {
                out.real(i, Integers.real(in.dtype(), in.integer(i), out.dtype()));
            }
        }
    }

    private static DoubleUnaryOperator real(UnaryKind kind) {
        return switch (kind) {
            case NEGATE -> x -> -x;
            case ABS -> Math::abs;
            case SIGN -> Math::signum;
            case EXP -> Math::exp;
            case EXPM1 -> Math::expm1;
            case LOG -> Math::log;
            case LOG1P -> Math::log1p;
            case SQRT -> Math::sqrt;
            case RSQRT -> x -> 1 / Math.sqrt(x);
            case TANH -> Math::tanh;
            case LOGISTIC -> x -> 1 / (1 + Math.exp(-x));
            case SIN -> Math::sin;
            case COS -> Math::cos;
            case FLOOR -> Math::floor;
            case CEIL -> Math::ceil;
            case ROUND_NEAREST_EVEN -> Math::rint;
            case CBRT -> Math::cbrt;
            case ERF -> Elementwise::erf;
            case NOT -> throw new UsageError("not of floats is undefined; compare them first");
        };
    }

    private static DoubleBinaryOperator real(BinaryKind kind, DType dtype) {
        return switch (kind) {
            case ADD -> Double::sum;
            case SUBTRACT -> (x, y) -> x - y;
            case MULTIPLY -> (x, y) -> x * y;
            case DIVIDE -> (x, y) -> x / y;
            case MAXIMUM -> Math::max;
            case MINIMUM -> Math::min;
            case POWER -> Elementwise::power;
            case REMAINDER -> (x, y) -> x % y;
            case ATAN2 -> Math::atan2;
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL ->
                    throw new UsageError("%s of %s is undefined; compare them first", kind, dtype);
        };
    }

    /// IEEE 754's pow; Java's yields NaN for 1^NaN and for (-1)^±∞, where IEEE says 1.
    private static double power(double x, double y) {
        return x == 1 || (x == -1 && Double.isInfinite(y)) ? 1 : Math.pow(x, y);
    }

    /// Kummer's series `2/√π e^(-x²) Σ 2ⁿ x^(2n+1) / (2n+1)!!`, whose terms have one sign; beyond 6
    /// it is 1 to the last bit. Source: https://dlmf.nist.gov/7.6.E2
    private static double erf(double x) {
        if (!(Math.abs(x) < 6)) {
            return Double.isNaN(x) ? x : Math.signum(x);
        }
        double term = x;
        double sum = x;
        for (int n = 1; Math.abs(term) > Math.ulp(sum) / 4; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
    }

    private static boolean holds(CompareKind kind, double x, double y) {
        return switch (kind) {
            case EQ -> x == y;
            case NE -> x != y;
            case LT -> x < y;
            case LE -> x <= y;
            case GT -> x > y;
            case GE -> x >= y;
        };
    }
}
