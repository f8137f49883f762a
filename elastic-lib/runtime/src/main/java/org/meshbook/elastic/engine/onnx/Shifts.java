package org.meshbook.elastic.engine.onnx;

import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.Op.BinaryKind;

/// Shifts of carried integers, by way of the unsigned types of 32 and 64 bits, which have kernels.
///
/// By the type's bits or more, and by negative amounts, they leave 0, or the sign.
record Shifts(Emit emit) {
    /// @param dtype the type that the operand's carrier stands for
    Value shift(BinaryKind kind, Value x, Value amount, DType dtype) {
        var lane = dtype.bits() == Integer.SIZE ? DType.I32 : DType.I64;
        var in = emit.cast(x, lane);
        var by = emit.cast(amount, lane);
        var result =
                switch (kind) {
                    case SHIFT_LEFT -> kept("LEFT", in, by, dtype);
                    case SHIFT_RIGHT_LOGICAL -> kept("RIGHT", bits(in, dtype), by, dtype);
                    case SHIFT_RIGHT_ARITHMETIC -> arithmetic(signed(in, dtype), by, dtype);
                    default -> throw new IllegalArgumentException(kind + " is no shift");
                };
        return emit.cast(result, x.dtype());
    }

    private Value kept(String direction, Value x, Value by, DType dtype) {
        if (isInside(by, dtype)) {
            return emit.bitShift(direction, x, by);
        }
        var inside = inside(by, dtype);
        var safe = emit.where(inside, by, emit.like(by, 0));
        return emit.where(inside, emit.bitShift(direction, x, safe), emit.like(x, 0));
    }

    /// Negative numbers are turned over before and after: zeros come in where ones should.
    private Value arithmetic(Value x, Value by, DType dtype) {
        var most = emit.like(by, dtype.bits() - 1L);
        var safe = isInside(by, dtype) ? by : emit.where(inside(by, dtype), by, most);
        var negative = emit.test("Less", x, emit.like(x, 0));
        var turned = emit.where(negative, emit.unary("BitwiseNot", x), x);
        var shifted = emit.bitShift("RIGHT", turned, safe);
        return emit.where(negative, emit.unary("BitwiseNot", shifted), shifted);
    }

    /// The bits of a narrow number as one that is not negative.
    private Value bits(Value x, DType dtype) {
        return isWhole(x, dtype) || dtype.isUnsigned()
                ? x
                : emit.binary("BitwiseAnd", x, emit.like(x, dtype.greatest() - dtype.least()));
    }

    /// The number whose bits in two's complement these are.
    private Value signed(Value x, DType dtype) {
        if (isWhole(x, dtype) || !dtype.isUnsigned()) {
            return x;
        }
        long end = 1L << dtype.bits();
        var high = emit.test("GreaterOrEqual", x, emit.like(x, end / 2));
        return emit.where(high, emit.subtract(x, emit.like(x, end)), x);
    }

    /// Whether all bits of the carrier are the type's.
    private static boolean isWhole(Value x, DType dtype) {
        return x.dtype().bits() == dtype.bits();
    }

    private Value inside(Value by, DType dtype) {
        var notNegative = emit.test("GreaterOrEqual", by, emit.like(by, 0));
        return emit.binary(
                "And", notNegative, emit.test("Less", by, emit.like(by, (long) dtype.bits())));
    }

    private static boolean isInside(Value by, DType dtype) {
        var literal = by.constant();
        if (literal == null) {
            return false;
        }
        for (int i = 0; i < literal.type().shape().size(); i++) {
            long amount = Encoding.integer(literal.bytes(), literal.type().dtype(), i);
            if (amount < 0 || amount >= dtype.bits()) {
                return false;
            }
        }
        return true;
    }
}
