package org.meshbook.elastic.engine.reference;

import java.util.Comparator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.UnaryKind;

/// Arithmetic of whole numbers as longs, before they are wrapped to their type: narrow ones are
/// their values, U64 is its 64 bits.
final class Integers {
    private Integers() {}

    static LongUnaryOperator unary(UnaryKind kind, DType dtype) {
        return switch (kind) {
            case NEGATE -> x -> -x;
            case ABS -> dtype.isUnsigned() ? x -> x : Math::abs;
            case SIGN -> dtype.isUnsigned() ? x -> x == 0 ? 0 : 1 : Long::signum;
            case NOT -> dtype == DType.BOOL ? x -> 1 - x : x -> ~x;
            case EXP,
                    EXPM1,
                    LOG,
                    LOG1P,
                    SQRT,
                    RSQRT,
                    TANH,
                    LOGISTIC,
                    SIN,
                    COS,
                    FLOOR,
                    CEIL,
                    ROUND_NEAREST_EVEN,
                    CBRT,
                    ERF ->
                    throw new UsageError(
                            "%s of %s is undefined; convert to f32 or f64 first", kind, dtype);
        };
    }

    static LongBinaryOperator binary(BinaryKind kind, DType dtype) {
        boolean wide = dtype == DType.U64;
        int bits = dtype.bits();
        return switch (kind) {
            case ADD -> Long::sum;
            case SUBTRACT -> (x, y) -> x - y;
            case MULTIPLY -> (x, y) -> x * y;
            case DIVIDE ->
                    wide
                            ? (x, y) -> y == 0 ? -1 : Long.divideUnsigned(x, y)
                            : (x, y) -> y == 0 ? -1 : x / y;
            case REMAINDER ->
                    wide
                            ? (x, y) -> y == 0 ? x : Long.remainderUnsigned(x, y)
                            : (x, y) -> y == 0 ? x : x % y;
            case MAXIMUM -> maximum(dtype);
            case MINIMUM -> minimum(dtype);
            case POWER -> wide ? Integers::positivePower : Integers::power;
            case AND -> (x, y) -> x & y;
            case OR -> (x, y) -> x | y;
            case XOR -> (x, y) -> x ^ y;
            case SHIFT_LEFT -> (x, y) -> y < 0 || y >= bits ? 0 : x << y;
            case SHIFT_RIGHT_ARITHMETIC -> {
                // An unsigned type's highest bit is its sign here, as in StableHLO.
                int unused = Long.SIZE - bits;
                yield (x, y) -> x << unused >> unused >> (y < 0 || y >= bits ? Long.SIZE - 1 : y);
            }
            case SHIFT_RIGHT_LOGICAL -> {
                long mask = -1L >>> Long.SIZE - bits;
                yield (x, y) -> y < 0 || y >= bits ? 0 : (x & mask) >>> y;
            }
            case ATAN2 ->
                    throw new UsageError(
                            "%s of %s is undefined; convert to f32 or f64 first", kind, dtype);
        };
    }

    static LongBinaryOperator maximum(DType dtype) {
        return dtype == DType.U64 ? (x, y) -> Long.compareUnsigned(x, y) >= 0 ? x : y : Math::max;
    }

    static LongBinaryOperator minimum(DType dtype) {
        return dtype == DType.U64 ? (x, y) -> Long.compareUnsigned(x, y) <= 0 ? x : y : Math::min;
    }

    static Comparator<Long> order(DType dtype) {
        return dtype == DType.U64 ? Long::compareUnsigned : Long::compare;
    }

    /// To F32, and what is rounded by way of it, directly: by way of double it would be rounded
    /// twice.
    static double real(DType from, long value, DType to) {
        if (to == DType.F64) {
            return from == DType.U64 ? Encoding.unsigned(value) : value;
        }
        return from == DType.U64 && value < 0 ? 2f * (value >>> 1 | value & 1) : (float) value;
    }

    /// Wraps; a negative exponent yields the integer part of the true value, as XLA's power does.
    private static long power(long x, long y) {
        if (y < 0) {
            return x == 1 ? 1 : x == -1 ? ((y & 1) == 0 ? 1 : -1) : 0;
        }
        return positivePower(x, y);
    }

    private static long positivePower(long x, long y) {
        long result = 1;
        for (long square = x, rest = y; rest != 0; rest >>>= 1, square *= square) {
            result *= (rest & 1) == 0 ? 1 : square;
        }
        return result;
    }
}
