package org.meshbook.elastic.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// An array in this process's memory: row-major, native byte order.
///
/// The buffer is shared, not copied; whoever hands it over gives up writing to it. Engines,
/// transports and stores all speak this one type, with direct buffers where native code reads them.
public final class HostArray implements Array {
    private static final int ALIGNMENT = 64;

    /// Below this a copy costs less than the room that alignment takes.
    private static final int ALIGNED_BYTES = 1024;

    private final ArrayType type;
    private final ByteBuffer data;

    private HostArray(ArrayType type, ByteBuffer data) {
        this.type = type;
        this.data = data;
    }

    /// Wraps a buffer from its position to its limit, without a copy.
    ///
    /// @param type element type and shape
    /// @param data exactly `type.bytes()` bytes, native order
    /// @return the array
    /// @throws MeshMismatch if the buffer's length is not the type's
    public static HostArray wrap(ArrayType type, ByteBuffer data) {
        if (data.remaining() != type.bytes()) {
            throw new MeshMismatch(
                    "%s needs %d bytes, %d are given", type, type.bytes(), data.remaining());
        }
        return new HostArray(type, data.slice().order(ByteOrder.nativeOrder()));
    }

    /// @param type element type and shape
    /// @return zeros in a fresh direct buffer, which begins at a multiple of 64 bytes unless it is
    ///   small: engines read such memory in place
    public static HostArray zeros(ArrayType type) {
        int bytes = Math.toIntExact(type.bytes());
        var data =
                bytes < ALIGNED_BYTES
                        ? ByteBuffer.allocateDirect(bytes)
                        : ByteBuffer.allocateDirect(bytes + 2 * ALIGNMENT)
                                .alignedSlice(ALIGNMENT)
                                .slice(0, bytes);
        return new HostArray(type, data.order(ByteOrder.nativeOrder()));
    }

    @Override
    public ArrayType type() {
        return type;
    }

    /// @return a view of the bytes, position 0 to limit, native order
    public ByteBuffer bytes() {
        return data.duplicate().order(ByteOrder.nativeOrder());
    }

    @Override
    public HostArray toHost() {
        return this;
    }

    @Override
    public int precedence() {
        return 0;
    }

    @Override
    public Array apply(Op op, List<Array> operands) {
        return Evaluator.LOCAL.evaluate(op, operands.stream().map(a -> (HostArray) a).toList());
    }

    /// @param i row-major index
    /// @return the element as a double; BOOL is 0 or 1
    public double get(int i) {
        return Encoding.number(data, type.dtype(), i);
    }

    /// @return a copy of the elements in row-major order
    /// @throws UsageError if the dtype is none of F32, BF16 and F16
    public float[] floats() {
        wants(type.dtype().isFloat() && type.dtype() != DType.F64, DType.F32);
        var values = new float[size()];
        if (type.dtype() == DType.F32) {
            bytes().asFloatBuffer().get(values);
            return values;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) Encoding.real(data, type.dtype(), i);
        }
        return values;
    }

    /// @return a copy of the elements in row-major order; any dtype, truth is 0 or 1
    public double[] doubles() {
        var values = new double[size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = get(i);
        }
        return values;
    }

    /// @return a copy of the elements in row-major order
    /// @throws UsageError if the dtype is neither I32 nor a narrower integer type
    public int[] ints() {
        int bits = type.dtype().isUnsigned() ? type.dtype().bits() + 1 : type.dtype().bits();
        wants(type.dtype().isInteger() && bits <= Integer.SIZE, DType.I32);
        var values = new int[size()];
        if (type.dtype() == DType.I32) {
            bytes().asIntBuffer().get(values);
            return values;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = (int) Encoding.integer(data, type.dtype(), i);
        }
        return values;
    }

    /// @return a copy of the elements in row-major order
    /// @throws UsageError if the dtype is no integer type; U64 yields its 64 bits, which
    ///   [Long#toUnsignedString(long)] and its like read
    public long[] longs() {
        wants(type.dtype().isInteger(), DType.I64);
        var values = new long[size()];
        if (type.dtype().bytes() == Long.BYTES) {
            bytes().asLongBuffer().get(values);
            return values;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = Encoding.integer(data, type.dtype(), i);
        }
        return values;
    }

    /// @return a copy of the elements in row-major order
    /// @throws UsageError if the dtype is not BOOL
    public boolean[] booleans() {
        wants(type.dtype() == DType.BOOL, DType.BOOL);
        var values = new boolean[size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = data.get(i) != 0;
        }
        return values;
    }

    private int size() {
        return Math.toIntExact(type.shape().size());
    }

    private void wants(boolean fits, DType dtype) {
        UsageError.require(
                fits,
                "%s does not hold %s; read doubles(), or cast first, as in x.cast(DType.%s)",
                type,
                dtype.shortName(),
                dtype.name());
    }

    /// Equal types and equal bits, so that `NaN` equals itself.
    @Override
    public boolean equals(Object other) {
        return other instanceof HostArray that
                && type.equals(that.type)
                && data.duplicate().rewind().equals(that.data.duplicate().rewind());
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + data.duplicate().rewind().hashCode();
    }

    /// Type and content, long arrays abbreviated.
    @Override
    public String toString() {
        return Printing.of(this);
    }
}
