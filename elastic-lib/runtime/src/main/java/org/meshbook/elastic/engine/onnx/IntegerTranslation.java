package org.meshbook.elastic.engine.onnx;

import java.util.Objects;
import java.util.stream.LongStream;
import org.meshbook.elastic.array.DType;

/// Integer division and power. ONNX Runtime divides by the CPU's instruction, which traps and ends
/// the process for a divisor of 0 and for the least integer by -1.
record IntegerTranslation(Emit emit) {
    /// Towards zero; by 0 it is -1, as XLA's.
    Value divide(Value x, Value y) {
        if (isHarmless(y)) {
            return emit.divide(x, y);
        }
        var zero = isZero(y);
        var minusOne = emit.test("Equal", y, emit.like(y, -1));
        var quotient = emit.divide(x, harmless(y));
        return emit.where(
                zero, emit.like(x, -1), emit.where(minusOne, emit.unary("Neg", x), quotient));
    }

    /// Has the dividend's sign; by 0 it is the dividend, as XLA's.
    Value remainder(Value x, Value y) {
        var divisor = isHarmless(y) ? y : harmless(y);
        var rest = emit.subtract(x, emit.multiply(emit.divide(x, divisor), divisor));
        return isHarmless(y) ? rest : emit.where(isZero(y), x, rest);
    }

    /// By repeated squaring, unrolled over the exponent's bits; ONNX Runtime's Pow goes by way of
    /// double and is wrong beyond 2^53.
    Value power(Value x, Value y) {
        int bits = bits(y);
        var one = emit.like(x, 1);
        var two = emit.like(y, 2);
        var zero = emit.like(y, 0);
        var result = emit.expand(one, Value.broadcast(x.shape(), y.shape()));
        var square = x;
        var rest = emit.maximum(y, zero);
        for (int bit = 0; bit < bits; bit++) {
            var half = emit.divide(rest, two);
            var odd = emit.test("Greater", emit.subtract(rest, emit.add(half, half)), zero);
            result = emit.where(odd, emit.multiply(result, square), result);
            if (bit + 1 < bits) {
                square = emit.multiply(square, square);
                rest = half;
            }
        }
        return y.constant() != null && least(y) >= 0 ? result : negativePowers(x, y, result);
    }

    /// Negative exponents leave the integer part of the true value: ±1 of ±1, else 0.
    private Value negativePowers(Value x, Value y, Value result) {
        var one = emit.like(x, 1);
        var half = emit.divide(y, emit.like(y, 2));
        var odd = emit.not(emit.test("Equal", emit.add(half, half), y));
        var unit = emit.test("Equal", emit.unary("Abs", x), one);
        var signed = emit.where(odd, x, one);
        var inverse = emit.where(unit, signed, emit.like(x, 0));
        return emit.where(emit.test("Less", y, emit.like(y, 0)), inverse, result);
    }

    private Value isZero(Value y) {
        return emit.test("Equal", y, emit.like(y, 0));
    }

    /// The divisor with 1 in place of 0 and -1.
    private Value harmless(Value y) {
        var minusOne = emit.test("Equal", y, emit.like(y, -1));
        return emit.where(emit.binary("Or", isZero(y), minusOne), emit.like(y, 1), y);
    }

    private static boolean isHarmless(Value y) {
        return y.constant() != null && elements(y).noneMatch(d -> d == 0 || d == -1);
    }

    private static int bits(Value y) {
        if (y.constant() == null) {
            return y.dtype() == DType.I32 ? 31 : 63;
        }
        return 64 - Long.numberOfLeadingZeros(Math.max(0, elements(y).max().orElse(0)));
    }

    private static long least(Value y) {
        return elements(y).min().orElse(0);
    }

    private static LongStream elements(Value y) {
        var constant = Objects.requireNonNull(y.constant());
        var bytes = constant.bytes();
        int size = Math.toIntExact(constant.type().shape().size());
        return y.dtype() == DType.I32
                ? LongStream.range(0, size).map(i -> bytes.getInt(4 * (int) i))
                : LongStream.range(0, size).map(i -> bytes.getLong(8 * (int) i));
    }
}
