package org.meshbook.elastic.array;

import java.util.function.DoubleSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.meshbook.elastic.MeshMismatch;

/// Host arrays made from Java values.
final class Literals {
    private Literals() {}

    /// Fills an array by row-major index.
    static HostArray fill(ArrayType type, IntToDoubleFunction value) {
        var array = HostArray.zeros(type);
        var bytes = array.bytes();
        int size = Math.toIntExact(type.shape().size());
        for (int i = 0; i < size; i++) {
            Encoding.number(bytes, type.dtype(), i, value.applyAsDouble(i));
        }
        return array;
    }

    static HostArray full(DType dtype, double value, Shape shape) {
        var type = new ArrayType(dtype, shape);
        return value == 0 && Double.compare(value, 0.0) == 0
                ? HostArray.zeros(type)
                : fill(type, _ -> value);
    }

    static HostArray arange(DType dtype, int start, int stop, int step) {
        org.meshbook.elastic.UsageError.require(step != 0, "arange: the step is 0; use 1 or -1");
        int size = Math.max(0, Math.ceilDiv(stop - start, step));
        return fill(ArrayType.of(dtype, size), i -> start + (double) i * step);
    }

    /// Weighs both ends, so that they are met exactly.
    static HostArray linspace(DType dtype, double start, double stop, int count) {
        int last = Math.max(1, count - 1);
        return fill(
                ArrayType.of(dtype, Math.max(0, count)),
                i -> start * ((double) (last - i) / last) + stop * ((double) i / last));
    }

    static HostArray rows(float[][] rows) {
        int width = rows.length == 0 ? 0 : rows[0].length;
        var array = HostArray.zeros(ArrayType.of(DType.F32, rows.length, width));
        var floats = array.bytes().asFloatBuffer();
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != width) {
                throw new MeshMismatch(
                        "row 0 has %d numbers, row %d has %d; rows must be equally long",
                        width, i, rows[i].length);
            }
            floats.put(rows[i]);
        }
        return array;
    }

    static HostArray random(long seed, Shape shape, Draw draw) {
        var generator = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        DoubleSupplier next = () -> draw.from(generator);
        return fill(new ArrayType(DType.F32, shape), _ -> next.getAsDouble());
    }

    interface Draw {
        double from(RandomGenerator generator);
    }
}
