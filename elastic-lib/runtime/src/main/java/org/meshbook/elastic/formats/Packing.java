package org.meshbook.elastic.formats;

import static org.meshbook.elastic.UsageError.require;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// Numbers between their stored form and arrays.
final class Packing {
    private static final int BF16_SHIFT = 16;
    private static final int BF16_HALF = 0x7FFF;

    private Packing() {}

    /// Makes an array of stored numbers; widens those that arrays do not know.
    ///
    /// @param name says in an error which array it is
    static HostArray unpack(String name, ByteBuffer stored, Element element, Shape shape) {
        var array = HostArray.zeros(new ArrayType(element.widened(), shape));
        var out = array.bytes();
        boolean same = element == Element.of(element.widened());
        if (same && stored.order() == ByteOrder.nativeOrder()) {
            out.put(stored);
            return array;
        }
        while (stored.hasRemaining()) {
            switch (element) {
                case F64 -> out.putDouble(stored.getDouble());
                case F32 -> out.putFloat(stored.getFloat());
                case F16 -> out.putFloat(Float.float16ToFloat(stored.getShort()));
                case BF16 -> out.putFloat(Float.intBitsToFloat(stored.getShort() << BF16_SHIFT));
                case I64 -> out.putLong(stored.getLong());
                case I32 -> out.putInt(stored.getInt());
                case I16 -> out.putInt(stored.getShort());
                case I8 -> out.putInt(stored.get());
                case U64 -> {
                    long value = stored.getLong();
                    require(
                            value >= 0,
                            "'%s' holds %s, more than an i64 holds; store smaller numbers",
                            name,
                            Long.toUnsignedString(value));
                    out.putLong(value);
                }
                case U32 -> out.putLong(Integer.toUnsignedLong(stored.getInt()));
                case U16 -> out.putInt(Short.toUnsignedInt(stored.getShort()));
                case U8 -> out.putInt(Byte.toUnsignedInt(stored.get()));
                case BOOL -> out.put((byte) (stored.get() == 0 ? 0 : 1));
            }
        }
        return array;
    }

    /// The bytes to store, little-endian; fractions are rounded to the nearest.
    ///
    /// @throws org.meshbook.elastic.UsageError if a whole number does not fit; names it
    static ByteBuffer pack(String name, HostArray array, Element element) {
        require(
                element.holds(array.type().dtype()),
                "'%s' is %s and cannot be stored as %s; cast it first",
                name,
                array.type(),
                element);
        boolean same = element == Element.of(array.type().dtype());
        if (same && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            return array.bytes();
        }
        int count = Math.toIntExact(array.type().shape().size());
        var out = ByteBuffer.allocate(count * element.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        var in = array.bytes();
        for (int i = 0; i < count; i++) {
            switch (array.type().dtype()) {
                case F32 -> fraction(out, in.getFloat(), element);
                case F64 -> fraction(out, in.getDouble(), element);
                case I32 -> whole(name, out, in.getInt(), element);
                case I64 -> whole(name, out, in.getLong(), element);
                case BOOL -> out.put(in.get());
            }
        }
        return out.flip();
    }

    private static void fraction(ByteBuffer out, double value, Element element) {
        switch (element) {
            case F64 -> out.putDouble(value);
            case F32 -> out.putFloat((float) value);
            case F16 -> out.putShort(Float.floatToFloat16((float) value));
            case BF16 -> out.putShort(upperHalf((float) value));
            case I64, I32, I16, I8, U64, U32, U16, U8, BOOL ->
                    throw new IllegalStateException(element + " holds no fractions");
        }
    }

    /// Rounds to the nearest, ties to even; a NaN stays one.
    private static short upperHalf(float value) {
        int bits = Float.floatToIntBits(value);
        int even = bits >>> BF16_SHIFT & 1;
        int rounded = Float.isNaN(value) ? bits : bits + BF16_HALF + even;
        return (short) (rounded >>> BF16_SHIFT);
    }

    private static void whole(String name, ByteBuffer out, long value, Element element) {
        int bits = element.bytes() * Byte.SIZE;
        boolean signed = element.name().startsWith("I");
        long least = signed ? -1L << bits - 1 : 0;
        long most = signed ? ~least : bits == Long.SIZE ? Long.MAX_VALUE : (1L << bits) - 1;
        require(
                value >= least && value <= most,
                "'%s' holds %d, which %s does not; it holds %d to %d",
                name,
                value,
                element,
                least,
                most);
        switch (element.bytes()) {
            case Long.BYTES -> out.putLong(value);
            case Integer.BYTES -> out.putInt((int) value);
            case Short.BYTES -> out.putShort((short) value);
            default -> out.put((byte) value);
        }
    }
}
