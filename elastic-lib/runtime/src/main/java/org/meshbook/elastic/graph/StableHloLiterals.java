package org.meshbook.elastic.graph;

import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Locale;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;

/// Literals inside `dense<...>`: exact, short where the array is small or uniform.
final class StableHloLiterals {
    private static final int LISTED = 64;

    private StableHloLiterals() {}

    static String dense(HostArray value) {
        var type = value.type();
        int size = Math.toIntExact(type.shape().size());
        if (size == 0) {
            return "";
        }
        if (size == 1 || uniform(value)) {
            return element(value, 0);
        }
        if (size <= LISTED || type.dtype() == DType.BOOL) {
            var text = new StringBuilder();
            list(value, 0, 0, text);
            return text.toString();
        }
        return hex(value);
    }

    private static boolean uniform(HostArray value) {
        var bytes = value.bytes();
        int width = value.type().dtype().bytes();
        for (int i = width; i < bytes.limit(); i++) {
            if (bytes.get(i) != bytes.get(i - width)) {
                return false;
            }
        }
        return true;
    }

    private static void list(HostArray value, int dim, int offset, StringBuilder text) {
        var shape = value.type().shape();
        if (dim == shape.rank()) {
            text.append(element(value, offset));
            return;
        }
        text.append('[');
        for (int i = 0; i < shape.dim(dim); i++) {
            text.append(i == 0 ? "" : ", ");
            list(value, dim + 1, offset * shape.dim(dim) + i, text);
        }
        text.append(']');
    }

    private static String element(HostArray value, int i) {
        return switch (value.type().dtype()) {
            case F32 -> f32((float) value.get(i));
            case F64 -> f64(value.get(i));
            case I32 -> String.valueOf(value.bytes().getInt(4 * i));
            case I64 -> String.valueOf(value.bytes().getLong(8 * i));
            case BOOL -> value.get(i) != 0 ? "true" : "false";
            case BF16, F16 -> narrow(value, i);
            case I8, I16, U8, U16, U32 -> String.valueOf((long) value.get(i));
            case U64 -> Long.toUnsignedString(value.bytes().getLong(8 * i));
        };
    }

    /// A decimal that rounds to the value, or its bits.
    private static String narrow(HostArray value, int i) {
        float number = (float) value.get(i);
        return Float.isFinite(number)
                ? Float.toString(number)
                : String.format(Locale.ROOT, "0x%04X", value.bytes().getShort(2 * i));
    }

    private static String f32(float value) {
        return Float.isFinite(value)
                ? Float.toString(value)
                : String.format(Locale.ROOT, "0x%08X", Float.floatToRawIntBits(value));
    }

    private static String f64(double value) {
        return Double.isFinite(value)
                ? Double.toString(value)
                : String.format(Locale.ROOT, "0x%016X", Double.doubleToRawLongBits(value));
    }

    /// MLIR reads raw bytes in little-endian order.
    private static String hex(HostArray value) {
        var bytes = value.bytes();
        var copy = new byte[bytes.remaining()];
        bytes.get(copy);
        if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
            int width = value.type().dtype().bytes();
            for (int i = 0; i < copy.length; i += width) {
                for (int a = i, b = i + width - 1; a < b; a++, b--) {
                    byte swapped = copy[a];
                    copy[a] = copy[b];
                    copy[b] = swapped;
                }
            }
        }
        return "\"0x" + HexFormat.of().withUpperCase().formatHex(copy) + "\"";
    }

    /// What a reduction starts from.
    static String identity(Op.ReduceKind kind, DType dtype) {
        return switch (kind) {
            case SUM -> dtype.isFloat() ? "0.0" : "0";
            case PRODUCT -> dtype.isFloat() ? "1.0" : "1";
            case MAX -> least(dtype);
            case MIN -> end(dtype, dtype.greatest(), Double.POSITIVE_INFINITY);
        };
    }

    static String least(DType dtype) {
        return end(dtype, dtype.least(), Double.NEGATIVE_INFINITY);
    }

    /// One end of a type's range as text.
    private static String end(DType dtype, long whole, double real) {
        var scalar = HostArray.zeros(ArrayType.of(dtype));
        if (dtype.isFloat()) {
            Encoding.real(scalar.bytes(), dtype, 0, real);
        } else {
            Encoding.integer(scalar.bytes(), dtype, 0, whole);
        }
        return element(scalar, 0);
    }
}
