package org.meshbook.elastic.engine.onnx;

import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;

/// How element types without kernels of their own are computed: in a wider type, the carrier, and
/// after each operation rounded or wrapped to what their own type holds.
///
/// BF16 and F16 are carried by F32; I8, I16, U8 and U16 by I32; U32 by the same bits as I32, U64 as
/// I64, which is as good for most operations ([Signless]); for others U32 becomes its number in I64
/// on the way in. Where a value enters or leaves the model it is stored as its own type, unsigned
/// ones as the signed type of their width: ONNX Runtime's Java tensors know no others.
record Carriers(Emit emit) {
    private static final long U8_MASK = 0xFF;
    private static final long U16_MASK = 0xFFFF;
    private static final long U32_MASK = 0xFFFF_FFFFL;

    static DType of(DType dtype) {
        return switch (dtype) {
            case F32, F64, I32, I64, BOOL -> dtype;
            case BF16, F16 -> DType.F32;
            case I8, I16, U8, U16, U32 -> DType.I32;
            case U64 -> DType.I64;
        };
    }

    static ArrayType of(ArrayType type) {
        return new ArrayType(of(type.dtype()), type.shape());
    }

    /// The same numbers, or bits, in the carrier type.
    static HostArray literal(HostArray array) {
        var dtype = array.type().dtype();
        var carrier = of(array.type());
        if (carrier.dtype() == dtype) {
            return array;
        }
        var wide = HostArray.zeros(carrier);
        var from = array.bytes();
        var to = wide.bytes();
        for (int i = 0; i < carrier.shape().size(); i++) {
            if (dtype.isFloat()) {
                Encoding.real(to, carrier.dtype(), i, Encoding.real(from, dtype, i));
            } else {
                Encoding.integer(to, carrier.dtype(), i, Encoding.integer(from, dtype, i));
            }
        }
        return wide;
    }

    /// From a stored tensor to its carrier.
    Value load(Value stored) {
        return switch (stored.dtype()) {
            case F32, F64, I32, I64, BOOL -> stored;
            case BF16, F16, I8, I16, U8 -> emit.cast(stored, of(stored.dtype()));
            case U16 -> masked(emit.cast(stored, DType.I32), U16_MASK);
            case U32, U64 -> labelled(stored, of(stored.dtype()));
        };
    }

    /// From a carrier to what leaves the model.
    Value store(Value carrier, DType dtype) {
        return dtype == DType.U32 || dtype == DType.U64
                ? labelled(carrier, dtype)
                : emit.cast(carrier, dtype);
    }

    private static Value labelled(Value value, DType dtype) {
        return new Value(value.name(), dtype, value.shape(), null);
    }

    /// The number that a carrier stands for, for operations that heed the sign.
    Value number(Value carrier, DType dtype) {
        return dtype == DType.U32 && !carrier.isEmpty()
                ? masked(emit.cast(carrier, DType.I64), U32_MASK)
                : carrier;
    }

    /// Rounds or wraps a result to what its own type holds.
    Value fit(Value carrier, DType dtype) {
        return switch (dtype) {
            case F32, F64, I32, I64, BOOL, U64 -> carrier;
            case U32 -> emit.cast(carrier, DType.I32);
            case BF16, F16, I8, I16 -> emit.cast(emit.cast(carrier, dtype), carrier.dtype());
            case U8 -> masked(carrier, U8_MASK);
            case U16 -> masked(carrier, U16_MASK);
        };
    }

    /// Floats to integers saturate and NaN becomes 0; ONNX leaves both undefined.
    Value convert(Value x, DType from, DType to) {
        if (!from.isFloat() || !to.isInteger()) {
            return fit(emit.cast(x, of(to)), to);
        }
        var model = emit.model();
        var carrier = to == DType.U32 ? DType.I64 : of(to);
        var cast = emit.cast(x, carrier);
        var end = model.real(x.dtype(), to.greatest() + 1.0);
        var high = model.whole(carrier, to.greatest());
        var low = model.whole(carrier, to.least());
        var top = emit.test("GreaterOrEqual", x, end);
        var bottom = emit.test("LessOrEqual", x, model.real(x.dtype(), to.least()));
        var inside = emit.where(top, high, emit.where(bottom, low, cast));
        return emit.where(emit.isNan(x), model.whole(carrier, 0), inside);
    }

    private Value masked(Value x, long mask) {
        return emit.binary("BitwiseAnd", x, emit.like(x, mask));
    }
}
