package org.meshbook.elastic.engine.reference;

import java.util.List;
import org.meshbook.elastic.array.Shape;

/// Row-major addressing: how far apart neighbours along each dimension lie.
final class Strides {
    private Strides() {}

    static int[] of(Shape shape) {
        var strides = new int[shape.rank()];
        int stride = 1;
        for (int d = shape.rank() - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape.dim(d);
        }
        return strides;
    }

    static int[] pick(int[] from, List<Integer> at) {
        return at.stream().mapToInt(d -> from[d]).toArray();
    }

    /// Lists the offsets that a walk over `dims`, last dimension fastest, meets.
    static int[] offsets(int[] dims, int[] strides, int start) {
        int size = 1;
        for (int dim : dims) {
            size *= dim;
        }
        var offsets = new int[size];
        var at = new int[dims.length];
        int offset = start;
        for (int i = 0; i < size; i++) {
            offsets[i] = offset;
            for (int d = dims.length - 1; d >= 0; d--) {
                offset += strides[d];
                if (++at[d] < dims[d]) {
                    break;
                }
                offset -= strides[d] * dims[d];
                at[d] = 0;
            }
        }
        return offsets;
    }

    static int product(Shape shape, int from, int to) {
        int product = 1;
        for (int d = from; d < to; d++) {
            product *= shape.dim(d);
        }
        return product;
    }
}
