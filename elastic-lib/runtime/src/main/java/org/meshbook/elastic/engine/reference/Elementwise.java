package org.meshbook.elastic.engine.reference;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
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
            var function = integer(kind, in.dtype());
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
            var function = integer(kind);
            for (int i = 0; i < out.size(); i++) {
                out.integer(i, function.applyAsLong(lhs.integer(i), rhs.integer(i)));
            }
        }
    }

    static void compare(CompareKind kind, Elements lhs, Elements rhs, Elements out) {
        boolean isFloat = lhs.isFloat();
        for (int i = 0; i < out.size(); i++) {
            boolean holds =
                    isFloat
                            ? holds(kind, lhs.real(i), rhs.real(i))
                            : holds(kind, Long.compare(lhs.integer(i), rhs.integer(i)), 0);
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
            if (in.isFloat() && out.isFloat()) {
                out.real(i, in.real(i));
            } else if (in.isFloat()) {
                double real = in.real(i);
                out.integer(
                        i,
                        switch (out.dtype()) {
                            case I32 -> (int) real;
                            case BOOL -> real != 0 ? 1 : 0;
                            case I64, F32, F64 -> (long) real;
                        });
            } else if (out.dtype() == DType.F32) {
                // Rounded once: by way of double it would be rounded twice.
                out.real(i, (float) in.integer(i));
            } else if (out.isFloat()) {
                out.real(i, (double) in.integer(i));
            } else {
                out.integer(i, in.integer(i));
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
            case NOT -> throw new UsageError("not of floats is undefined; compare them first");
        };
    }

    private static LongUnaryOperator integer(UnaryKind kind, DType dtype) {
        return switch (kind) {
            case NEGATE -> x -> -x;
            case ABS -> Math::abs;
            case SIGN -> Long::signum;
            case NOT -> x -> 1 - x;
            case EXP, EXPM1, LOG, LOG1P, SQRT, RSQRT, TANH, LOGISTIC, SIN, COS, FLOOR, CEIL ->
                    throw new UsageError(
                            "%s of %s is undefined; convert to f32 or f64 first", kind, dtype);
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
            case AND, OR ->
                    throw new UsageError("%s of %s is undefined; compare them first", kind, dtype);
        };
    }

    private static LongBinaryOperator integer(BinaryKind kind) {
        return switch (kind) {
            case ADD -> Long::sum;
            case SUBTRACT -> (x, y) -> x - y;
            case MULTIPLY -> (x, y) -> x * y;
            case DIVIDE -> (x, y) -> y == 0 ? -1 : x / y;
            case MAXIMUM -> Math::max;
            case MINIMUM -> Math::min;
            case POWER -> Elementwise::power;
            case REMAINDER -> (x, y) -> y == 0 ? x : x % y;
            case AND -> (x, y) -> x & y;
            case OR -> (x, y) -> x | y;
        };
    }

    /// IEEE 754's pow; Java's yields NaN for 1^NaN and for (-1)^±∞, where IEEE says 1.
    private static double power(double x, double y) {
        return x == 1 || (x == -1 && Double.isInfinite(y)) ? 1 : Math.pow(x, y);
    }

    /// Wraps; a negative exponent yields the integer part of the true value, as XLA's power does.
    private static long power(long x, long y) {
        if (y < 0) {
            return x == 1 ? 1 : x == -1 ? ((y & 1) == 0 ? 1 : -1) : 0;
        }
        long result = 1;
        for (long square = x, rest = y; rest != 0; rest >>= 1, square *= square) {
            result *= (rest & 1) == 0 ? 1 : square;
        }
        return result;
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
