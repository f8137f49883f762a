package org.meshbook.elastic.engine.reference;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op.ReduceKind;

/// Operations that remove dimensions by combining the elements along them.
final class Reduction {
    private Reduction() {}

    static void reduce(ReduceKind kind, List<Integer> dims, Elements in, Elements out) {
        var to = targets(dims, in, out);
        if (in.isFloat()) {
            reduceReals(kind, in, to, out);
        } else {
            reduceIntegers(kind, in, to, out);
        }
    }

    static void argMax(int dim, Elements in, Elements out) {
        var shape = in.type().shape();
        int count = shape.dim(dim);
        if (count == 0) {
            throw new UsageError(
                    "argmax along dimension %d of %s has nothing to choose from", dim, in.type());
        }
        int below = Strides.product(shape, dim + 1, shape.rank());
        for (int i = 0; i < out.size(); i++) {
            int start = i / below * below * count + i % below;
            int best = 0;
            for (int k = 1; k < count; k++) {
                if (greater(in, start + k * below, start + best * below)) {
                    best = k;
                }
            }
            out.integer(i, best);
        }
    }

    /// For each element of the operand the element of the result that it is combined into.
    private static int[] targets(List<Integer> dims, Elements in, Elements out) {
        var shape = in.type().shape();
        var own = Strides.of(out.type().shape());
        var strides = new int[shape.rank()];
        int kept = 0;
        for (int d = 0; d < strides.length; d++) {
            strides[d] = dims.contains(d) ? 0 : own[kept++];
        }
        return Strides.offsets(shape.toArray(), strides, 0);
    }

    private static void reduceReals(ReduceKind kind, Elements in, int[] to, Elements out) {
        DoubleBinaryOperator combine =
                switch (kind) {
                    case SUM -> Double::sum;
                    case PRODUCT -> (x, y) -> x * y;
                    case MAX -> Math::max;
                    case MIN -> Math::min;
                };
        double initial =
                switch (kind) {
                    case SUM -> 0;
                    case PRODUCT -> 1;
                    case MAX -> Double.NEGATIVE_INFINITY;
                    case MIN -> Double.POSITIVE_INFINITY;
                };
        var sums = new double[out.size()];
        Arrays.fill(sums, initial);
        for (int i = 0; i < to.length; i++) {
            sums[to[i]] = combine.applyAsDouble(sums[to[i]], in.real(i));
        }
        out.putAll(sums);
    }

    private static void reduceIntegers(ReduceKind kind, Elements in, int[] to, Elements out) {
        LongBinaryOperator combine =
                switch (kind) {
                    case SUM -> in.dtype() == DType.BOOL ? Math::max : Long::sum;
                    case PRODUCT -> (x, y) -> x * y;
                    case MAX -> Integers.maximum(in.dtype());
                    case MIN -> Integers.minimum(in.dtype());
                };
        long initial =
                switch (kind) {
                    case SUM -> 0;
                    case PRODUCT -> 1;
                    case MAX -> in.dtype().least();
                    case MIN -> in.dtype().greatest();
                };
        var sums = new long[out.size()];
        Arrays.fill(sums, initial);
        for (int i = 0; i < to.length; i++) {
            sums[to[i]] = combine.applyAsLong(sums[to[i]], in.integer(i));
        }
        out.putAll(sums);
    }

    private static boolean greater(Elements in, int i, int j) {
        if (!in.isFloat()) {
            return Integers.order(in.dtype()).compare(in.integer(i), in.integer(j)) > 0;
        }
        double x = in.real(i);
        double y = in.real(j);
        return x > y || (Double.isNaN(x) && !Double.isNaN(y));
    }
}
