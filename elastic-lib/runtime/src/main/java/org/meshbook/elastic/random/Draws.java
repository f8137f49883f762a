package org.meshbook.elastic.random;

import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// Distributions made of random bits, step by step as JAX makes them.
///
/// Source: `jax/_src/random`, https://github.com/jax-ml/jax
final class Draws {
    private static final float TINY = Float.MIN_NORMAL;

    private Draws() {}

    /// As many random bits as the type's fraction holds, scaled.
    static Array uniform(Key key, DType dtype, double low, double high, int... dims) {
        int fraction = fraction(dtype);
        var drawn =
                switch (dtype) {
                    case F64 -> DType.U64;
                    case F32 -> DType.U32;
                    case F16 -> DType.U16;
                    default -> DType.U8;
                };
        var bits = key.bits(drawn, dims).shiftRightLogical(drawn.bits() - fraction);
        // Signed 64-bit numbers convert on every engine, unsigned ones do not.
        var whole = drawn == DType.U64 ? bits.cast(DType.I64) : bits;
        var unit = whole.cast(dtype).mul(Math.scalb(1.0, -fraction));
        double least = rounded(dtype, low);
        double span = rounded(dtype, rounded(dtype, high) - least);
        if (least == 0 && span == 1) {
            return unit;
        }
        return unit.mul(span).add(least).maximum(least);
    }

    static Array normal(Key key, DType dtype, int... dims) {
        var edge = -1 + Math.scalb(1.0, -fraction(dtype) - 1);
        return uniform(key, dtype, edge, 1, dims).erfinv().mul(Math.sqrt(2));
    }

    static Array gumbel(Key key, DType dtype, int... dims) {
        UsageError.require(
                dtype == DType.F32 || dtype == DType.F64,
                "gumbel draws f32 or f64, not %s; cast the logits",
                dtype);
        double tiny = dtype == DType.F32 ? TINY : Double.MIN_NORMAL;
        return uniform(key, dtype, tiny, 1, dims).log().neg().log().neg();
    }

    static Array categorical(Key key, Array logits, Shape shape) {
        UsageError.require(
                logits.shape().rank() >= 1,
                "categorical chooses along the last axis, %s has none",
                logits.type());
        return gumbel(key, logits.dtype(), shape.toArray()).add(logits).argmax(-1);
    }

    /// Sorts by random words, again for long arrays, whose words may be equal.
    static Array permutation(Key key, int count) {
        double words = Math.log(Math.max(1, count)) / Math.log(0xFFFF_FFFFL);
        int rounds = (int) Math.ceil(3 * words);
        Array order = Array.arange(count);
        var rest = key;
        for (int round = 0; round < rounds; round++) {
            var keys = rest.split();
            rest = keys.get(0);
            order = order.take(keys.get(1).bits(count).argsort(0), 0);
        }
        return order;
    }

    /// Twice the bits of the type, so that the remainder is next to unbiased.
    static Array randint(Key key, DType dtype, long low, long high, int... dims) {
        UsageError.require(
                dtype == DType.I32 || dtype == DType.I64,
                "randint draws i32 or i64, not %s; cast them",
                dtype);
        UsageError.require(
                low >= dtype.least() && high <= dtype.greatest() && low < high,
                "randint from %d to %d has no number of %s; give low < high",
                low,
                high,
                dtype);
        var unsigned = dtype == DType.I32 ? DType.U32 : DType.U64;
        var keys = key.split();
        long span = high - low;
        long half = 1L << dtype.bits() / 2;
        long rest = Long.remainderUnsigned(half, span);
        long factor = Long.remainderUnsigned(wrapped(unsigned, rest * rest), span);
        var upper = keys.get(0).bits(unsigned, dims).rem(whole(unsigned, span));
        var lower = keys.get(1).bits(unsigned, dims).rem(whole(unsigned, span));
        var offset = upper.mul(whole(unsigned, factor)).add(lower).rem(whole(unsigned, span));
        return offset.cast(dtype).add(whole(dtype, low));
    }

    private static long wrapped(DType dtype, long value) {
        return Encoding.integer(whole(dtype, value).bytes(), dtype, 0);
    }

    private static HostArray whole(DType dtype, long value) {
        var scalar = HostArray.zeros(ArrayType.of(dtype));
        Encoding.integer(scalar.bytes(), dtype, 0, value);
        return scalar;
    }

    private static double rounded(DType dtype, double value) {
        var scalar = HostArray.zeros(ArrayType.of(dtype));
        Encoding.real(scalar.bytes(), dtype, 0, value);
        return scalar.get(0);
    }

    /// Bits after the point in a number of `[1, 2)`.
    private static int fraction(DType dtype) {
        return switch (dtype) {
            case F64 -> 52;
            case F32 -> 23;
            case F16 -> 10;
            case BF16 -> 7;
            case I32, I64, BOOL, I8, I16, U8, U16, U32, U64 ->
                    throw new UsageError(
                            "random fractions are of a float type, %s is asked for", dtype);
        };
    }
}
