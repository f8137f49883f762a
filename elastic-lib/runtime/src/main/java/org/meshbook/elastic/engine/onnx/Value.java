package org.meshbook.elastic.engine.onnx;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// A tensor of the model being written.
///
/// @param name unique in the model; empty for a tensor without elements, which no model contains
/// @param dtype element type
/// @param shape its own shape, which broadcasts (as NumPy's) to the shape of the graph's value
/// @param constant its elements if they are known
record Value(String name, DType dtype, Shape shape, @Nullable HostArray constant) {
    static Value empty(ArrayType type) {
        return new Value("", type.dtype(), type.shape(), null);
    }

    boolean isEmpty() {
        return shape.size() == 0;
    }

    boolean isFloat() {
        return dtype.isFloat();
    }

    boolean isBool() {
        return dtype == DType.BOOL;
    }

    ArrayType type() {
        return new ArrayType(dtype, shape);
    }

    /// The shape that two shapes broadcast to: aligned at the end, ones stretch.
    static Shape broadcast(Shape a, Shape b) {
        int rank = Math.max(a.rank(), b.rank());
        var dims = new int[rank];
        for (int d = 1; d <= rank; d++) {
            int left = d <= a.rank() ? a.dim(-d) : 1;
            int right = d <= b.rank() ? b.dim(-d) : 1;
            dims[rank - d] = left == 1 ? right : left;
        }
        return Shape.of(dims);
    }

    /// The shape without its leading ones.
    static List<Integer> core(Shape shape) {
        int first = 0;
        while (first < shape.rank() && shape.dim(first) == 1) {
            first++;
        }
        return shape.dims().subList(first, shape.rank());
    }
}
