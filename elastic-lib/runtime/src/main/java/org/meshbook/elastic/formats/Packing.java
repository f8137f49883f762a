package org.meshbook.elastic.formats;

import static org.meshbook.elastic.UsageError.require;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// Numbers between their stored form and arrays.
final class Packing {
    private Packing() {}

    /// Makes an array of stored numbers.
    static HostArray unpack(ByteBuffer stored, Element element, Shape shape) {
        var array = HostArray.zeros(new ArrayType(element.dtype(), shape));
        var out = array.bytes();
        if (element != Element.BOOL && stored.order() == ByteOrder.nativeOrder()) {
            out.put(stored);
            return array;
        }
        while (stored.hasRemaining()) {
            switch (element.bytes()) {
                case Long.BYTES -> out.putLong(stored.getLong());
                case Integer.BYTES -> out.putInt(stored.getInt());
                case Short.BYTES -> out.putShort(stored.getShort());
                default -> {
                    byte value = stored.get();
                    out.put(element == Element.BOOL && value != 0 ? 1 : value);
                }
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
        var from = array.type().dtype();
        for (int i = 0; i < count; i++) {
            if (from.isFloat()) {
                Encoding.real(out, element.dtype(), i, Encoding.real(in, from, i));
            } else {
                long value = Encoding.integer(in, from, i);
                check(name, value, from, element);
                Encoding.integer(out, element.dtype(), i, value);
            }
        }
        return out;
    }

    private static void check(String name, long value, DType from, Element element) {
        var to = element.dtype();
        boolean huge = from == DType.U64 && value < 0;
        boolean fits =
                to == DType.U64
                        ? huge || value >= 0
                        : !huge && value >= to.least() && value <= to.greatest();
        require(
                fits,
                "'%s' holds %s, which %s does not; it holds %d to %s",
                name,
                from == DType.U64 ? Long.toUnsignedString(value) : Long.toString(value),
                element,
                to.least(),
                Long.toUnsignedString(to.greatest()));
    }
}
