package org.meshbook.elastic.engine.reference;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.ScatterKind;
import org.meshbook.elastic.array.Shape;

/// Operations that read or write windows whose place is data.
final class Windows {
    private Windows() {}

    static void dynamicSlice(List<Elements> in, Elements out) {
        var x = in.getFirst();
        int start = start(x, out.type().shape(), in.subList(1, in.size()));
        var dims = out.type().shape().toArray();
        var from = Strides.offsets(dims, Strides.of(x.type().shape()), start);
        for (int i = 0; i < from.length; i++) {
            out.copy(i, x, from[i]);
        }
    }

    static void dynamicUpdate(List<Elements> in, Elements out) {
        var update = in.get(1);
        Movement.copy(in.getFirst(), out);
        int start = start(out, update.type().shape(), in.subList(2, in.size()));
        var dims = update.type().shape().toArray();
        var to = Strides.offsets(dims, Strides.of(out.type().shape()), start);
        for (int i = 0; i < to.length; i++) {
            out.copy(to[i], update, i);
        }
    }

    private static int start(Elements x, Shape block, List<Elements> starts) {
        var strides = Strides.of(x.type().shape());
        int sum = 0;
        for (int d = 0; d < strides.length; d++) {
            long last = x.type().shape().dim(d) - block.dim(d);
            sum += (int) Math.clamp(starts.get(d).integer(0), 0L, last) * strides[d];
        }
        return sum;
    }

    static void gather(Op.Gather gather, Elements in, Elements indices, Elements out) {
        var shape = out.type().shape();
        var from =
                new Addresses(gather.map(), in.type().shape(), indices, gather.sizes(), shape)
                        .list(true);
        for (int i = 0; i < from.length; i++) {
            out.copy(i, in, from[i]);
        }
    }

    static void scatter(
            Op.Scatter scatter, Elements in, Elements indices, Elements updates, Elements out) {
        var array = in.type().shape();
        var windows = updates.type().shape();
        var sizes = scatter.map().sizes(array, windows);
        var to = new Addresses(scatter.map(), array, indices, sizes, windows).list(false);
        if (scatter.kind() == ScatterKind.SET) {
            Movement.copy(in, out);
            for (int i = 0; i < to.length; i++) {
                if (to[i] != Addresses.OUTSIDE) {
                    out.copy(to[i], updates, i);
                }
            }
        } else if (in.isFloat()) {
            out.putAll(reals(scatter.kind(), in.reals(), to, updates));
        } else {
            out.putAll(integers(scatter.kind(), in.integers(), to, updates));
        }
    }

    private static double[] reals(ScatterKind kind, double[] all, int[] to, Elements updates) {
        DoubleBinaryOperator combine =
                switch (kind) {
                    case SET -> (_, y) -> y;
                    case ADD -> Double::sum;
                    case MULTIPLY -> (x, y) -> x * y;
                    case MAX -> Math::max;
                    case MIN -> Math::min;
                };
        for (int i = 0; i < to.length; i++) {
            if (to[i] != Addresses.OUTSIDE) {
                all[to[i]] = combine.applyAsDouble(all[to[i]], updates.real(i));
            }
        }
        return all;
    }

    private static long[] integers(ScatterKind kind, long[] all, int[] to, Elements updates) {
        LongBinaryOperator combine =
                switch (kind) {
                    case SET -> (_, y) -> y;
                    case ADD -> Long::sum;
                    case MULTIPLY -> (x, y) -> x * y;
                    case MAX -> Integers.maximum(updates.dtype());
                    case MIN -> Integers.minimum(updates.dtype());
                };
        for (int i = 0; i < to.length; i++) {
            if (to[i] != Addresses.OUTSIDE) {
                all[to[i]] = combine.applyAsLong(all[to[i]], updates.integer(i));
            }
        }
        return all;
    }

    static void argSort(Op.ArgSort sort, Elements in, Elements out) {
        var shape = in.type().shape();
        int count = shape.dim(sort.dim());
        int below = Strides.product(shape, sort.dim() + 1, shape.rank());
        int lines = count == 0 ? 0 : in.size() / count;
        for (int line = 0; line < lines; line++) {
            int start = line / below * below * count + line % below;
            var order = new Integer[count];
            Arrays.setAll(order, k -> k);
            Arrays.sort(
                    order,
                    (i, j) -> {
                        int sign = compare(in, start + i * below, start + j * below);
                        return sort.descending() ? -sign : sign;
                    });
            for (int k = 0; k < count; k++) {
                out.integer(start + k * below, order[k]);
            }
        }
    }

    /// NaN last, zeros equal.
    private static int compare(Elements in, int i, int j) {
        if (!in.isFloat()) {
            return Integers.order(in.dtype()).compare(in.integer(i), in.integer(j));
        }
        double x = in.real(i);
        double y = in.real(j);
        return x == y ? 0 : Double.compare(x, y);
    }
}
