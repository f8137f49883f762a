package org.meshbook.elastic.engine.onnx;

import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.Op.BinaryKind;

/// Shifts of carried integers, by way of the unsigned 64-bit type, which alone has a kernel.
///
/// By the type's bits or more, and by negative amounts, they leave 0, or the sign.
record Shifts(Emit emit) {
    /// @param dtype the type that the operand's carrier stands for
    Value shift(BinaryKind kind, Value x, Value amount, DType dtype) {
        var wide = emit.cast(x, DType.I64);
        var by = emit.cast(amount, DType.I64);
        var result =
                switch (kind) {
                    case SHIFT_LEFT -> kept("LEFT", wide, by, dtype);
                    case SHIFT_RIGHT_LOGICAL -> kept("RIGHT", bits(wide, dtype), by, dtype);
                    case SHIFT_RIGHT_ARITHMETIC -> arithmetic(signed(wide, dtype), by, dtype);
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

    /// The bits of a number as one that is not negative, but for 64 bits.
    private Value bits(Value x, DType dtype) {
        return dtype.isUnsigned() || dtype.bits() == Long.SIZE
                ? x
                : emit.binary("BitwiseAnd", x, emit.like(x, -1L >>> Long.SIZE - dtype.bits()));
    }

    /// The number whose bits in two's complement these are.
    private Value signed(Value x, DType dtype) {
        if (!dtype.isUnsigned() || dtype.bits() == Long.SIZE) {
            return x;
        }
        long end = 1L << dtype.bits();
        var high = emit.test("GreaterOrEqual", x, emit.like(x, end / 2));
        return emit.where(high, emit.subtract(x, emit.like(x, end)), x);
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
