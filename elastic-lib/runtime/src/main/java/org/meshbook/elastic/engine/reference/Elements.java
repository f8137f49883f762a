package org.meshbook.elastic.engine.reference;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;

/// Typed access to an array's elements by row-major index: floats as double, the rest as long.
///
/// @param type element type and shape
/// @param data the bytes, shared with the array
record Elements(ArrayType type, ByteBuffer data) {
    static Elements of(HostArray array) {
        return new Elements(array.type(), array.bytes());
    }

    static Elements zeros(ArrayType type) {
        return of(HostArray.zeros(type));
    }

    HostArray array() {
        return HostArray.wrap(type, data);
    }

    DType dtype() {
        return type.dtype();
    }

    int size() {
        return Math.toIntExact(type.shape().size());
    }

    boolean isFloat() {
        return dtype().isFloat();
    }

    double real(int i) {
        return dtype() == DType.F32 ? data.getFloat(4 * i) : Encoding.real(data, dtype(), i);
    }

    void real(int i, double value) {
        if (dtype() == DType.F32) {
            data.putFloat(4 * i, (float) value);
        } else {
            Encoding.real(data, dtype(), i, value);
        }
    }

    /// BOOL reads as 0 or 1, U64 as its 64 bits.
    long integer(int i) {
        return Encoding.integer(data, dtype(), i);
    }

    /// Integers keep the low bits, BOOL whether the value is not 0.
    void integer(int i, long value) {
        Encoding.integer(data, dtype(), i, value);
    }

    /// Copies one element of the same type, bit by bit.
    void copy(int i, Elements from, int j) {
        switch (dtype().bytes()) {
            case 1 -> data.put(i, from.data.get(j));
            case 2 -> data.putShort(2 * i, from.data.getShort(2 * j));
            case 4 -> data.putInt(4 * i, from.data.getInt(4 * j));
            default -> data.putLong(8 * i, from.data.getLong(8 * j));
        }
    }

    double[] reals() {
        var reals = new double[size()];
        for (int i = 0; i < reals.length; i++) {
            reals[i] = real(i);
        }
        return reals;
    }

    long[] integers() {
        var integers = new long[size()];
        for (int i = 0; i < integers.length; i++) {
            integers[i] = integer(i);
        }
        return integers;
    }

    void putAll(double[] values) {
        for (int i = 0; i < values.length; i++) {
            real(i, values[i]);
        }
    }

    void putAll(long[] values) {
        for (int i = 0; i < values.length; i++) {
            integer(i, values[i]);
        }
    }

    Elements {
        data = data.duplicate().order(ByteOrder.nativeOrder());
    }
}
