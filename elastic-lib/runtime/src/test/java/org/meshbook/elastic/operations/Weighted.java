package org.meshbook.elastic.operations;

import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;

/// Makes one number of an array, so that no two elements count alike.
public final class Weighted {
    private Weighted() {}

    /// @param x a float array
    /// @return the sum over `x[i] * cos(i + 1)`, in F64, with `i` in row-major order
    public static Array sum(Array x) {
        int size = Math.toIntExact(x.shape().size());
        var weights = Array.iota(DType.F64, size).add(1).cos();
        return x.cast(DType.F64).flatten().mul(weights).sum();
    }
}
