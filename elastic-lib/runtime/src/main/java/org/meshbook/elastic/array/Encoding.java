package org.meshbook.elastic.array;

import java.nio.ByteBuffer;

/// How one element lies in a buffer, and how Java's numbers are rounded and wrapped to fit it.
///
/// Buffers are in native order; indices count elements from the buffer's start. Pure.
public final class Encoding {
    private static final int HALF_SHIFT = 16;
    private static final int BELOW_HALF = 0x7FFF;
    private static final int QUIET_NAN = 0x40;
    private static final long BYTE_MASK = 0xFF;
    private static final long SHORT_MASK = 0xFFFF;

    private Encoding() {}

    /// @return the element of a float type, exactly
    public static double real(ByteBuffer data, DType dtype, int i) {
        return switch (dtype) {
            case F32 -> data.getFloat(4 * i);
            case F64 -> data.getDouble(8 * i);
            case BF16 -> bfloat16(data.getShort(2 * i));
            case F16 -> Float.float16ToFloat(data.getShort(2 * i));
            case I32, I64, BOOL, I8, I16, U8, U16, U32, U64 ->
                    throw new IllegalArgumentException(dtype + " is no float type");
        };
    }

    /// Rounds to the nearest value of a float type, ties to even; to BF16 by way of F32, as XLA.
    public static void real(ByteBuffer data, DType dtype, int i, double value) {
        switch (dtype) {
            case F32 -> data.putFloat(4 * i, (float) value);
            case F64 -> data.putDouble(8 * i, value);
            case BF16 -> data.putShort(2 * i, bfloat16((float) value));
            case F16 -> data.putShort(2 * i, float16(value));
            case I32, I64, BOOL, I8, I16, U8, U16, U32, U64 ->
                    throw new IllegalArgumentException(dtype + " is no float type");
        }
    }

    /// @return the element of a type of whole numbers; truth is 0 or 1, U64 as its 64 bits
    public static long integer(ByteBuffer data, DType dtype, int i) {
        return switch (dtype) {
            case I32 -> data.getInt(4 * i);
            case I64, U64 -> data.getLong(8 * i);
            case BOOL -> data.get(i) == 0 ? 0 : 1;
            case I8 -> data.get(i);
            case I16 -> data.getShort(2 * i);
            case U8 -> data.get(i) & BYTE_MASK;
            case U16 -> data.getShort(2 * i) & SHORT_MASK;
            case U32 -> Integer.toUnsignedLong(data.getInt(4 * i));
            case F32, F64, BF16, F16 ->
                    throw new IllegalArgumentException(dtype + " is no integer type");
        };
    }

    /// Keeps the low bits of a whole number; BOOL keeps whether it is not 0.
    public static void integer(ByteBuffer data, DType dtype, int i, long value) {
        switch (dtype) {
            case I32, U32 -> data.putInt(4 * i, (int) value);
            case I64, U64 -> data.putLong(8 * i, value);
            case BOOL -> data.put(i, (byte) (value == 0 ? 0 : 1));
            case I8, U8 -> data.put(i, (byte) value);
            case I16, U16 -> data.putShort(2 * i, (short) value);
            case F32, F64, BF16, F16 ->
                    throw new IllegalArgumentException(dtype + " is no integer type");
        }
    }

    /// @return the element as a double; truth is 0 or 1
    public static double number(ByteBuffer data, DType dtype, int i) {
        if (dtype.isFloat()) {
            return real(data, dtype, i);
        }
        long value = integer(data, dtype, i);
        return dtype == DType.U64 ? unsigned(value) : value;
    }

    /// Puts a double into any type: rounds to floats, converts to integers as [#whole] does.
    public static void number(ByteBuffer data, DType dtype, int i, double value) {
        if (dtype.isFloat()) {
            real(data, dtype, i, value);
        } else {
            integer(data, dtype, i, whole(dtype, value));
        }
    }

    /// A float as an integer, as XLA converts: towards 0, saturating at the type's ends, NaN is 0.
    /// For BOOL whether it is not 0.
    ///
    /// @return the integer; U64 as its 64 bits
    public static long whole(DType dtype, double value) {
        return switch (dtype) {
            case BOOL -> value != 0 ? 1 : 0;
            case U64 ->
                    value < 0x1p63
                            ? Math.max(0, (long) value)
                            : value < 0x1p64 ? (long) (value - 0x1p63) ^ Long.MIN_VALUE : -1;
            case F32, F64, BF16, F16, I32, I64, I8, I16, U8, U16, U32 ->
                    Math.clamp((long) value, dtype.least(), dtype.greatest());
        };
    }

    /// @param dtype an integer type
    /// @return the greatest integer of the type, rounded to a double
    static double greatest(DType dtype) {
        return dtype == DType.U64 ? unsigned(-1) : dtype.greatest();
    }

    /// @param bits of an unsigned 64-bit integer
    /// @return the nearest double
    public static double unsigned(long bits) {
        // The lowest bit is kept as a sticky bit, so that halving rounds as the whole would.
        return bits >= 0 ? bits : 2.0 * (bits >>> 1 | bits & 1);
    }

    private static float bfloat16(short bits) {
        return Float.intBitsToFloat(bits << HALF_SHIFT);
    }

    /// Ties to even; a NaN stays one.
    private static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int even = bits >>> HALF_SHIFT & 1;
        return (short)
                (Float.isNaN(value)
                        ? bits >>> HALF_SHIFT | QUIET_NAN
                        : bits + BELOW_HALF + even >>> HALF_SHIFT);
    }

    /// Rounds once: a float on the way keeps, in its lowest bit, that something was cut.
    private static short float16(double value) {
        float near = (float) value;
        if (near != value && Float.isFinite(near) && !Double.isNaN(value)) {
            int bits = Float.floatToRawIntBits(near);
            boolean outside = Math.abs((double) near) > Math.abs(value);
            near = Float.intBitsToFloat((outside ? bits - 1 : bits) | 1);
        }
        return Float.floatToFloat16(near);
    }
}
