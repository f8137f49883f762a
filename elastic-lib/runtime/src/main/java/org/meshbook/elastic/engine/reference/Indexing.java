package org.meshbook.elastic.engine.reference;

import static org.meshbook.elastic.UsageError.require;

/// Operations whose addresses are data. Both see the array as `[before, indexed, after]`.
final class Indexing {
    private Indexing() {}

    static void take(int dim, Elements in, Elements indices, Elements out) {
        var shape = in.type().shape();
        int before = Strides.product(shape, 0, dim);
        int count = shape.dim(dim);
        int after = Strides.product(shape, dim + 1, shape.rank());
        int picks = indices.size();
        require(count > 0 || picks == 0, "take along dimension %d of %s: it is empty", dim, shape);
        for (int b = 0; b < before; b++) {
            for (int p = 0; p < picks; p++) {
                int at = (int) Math.clamp(indices.integer(p), 0L, count - 1L);
                for (int a = 0; a < after; a++) {
                    out.copy((b * picks + p) * after + a, in, (b * count + at) * after + a);
                }
            }
        }
    }

    static void scatterAdd(int dim, Elements in, Elements indices, Elements updates, Elements out) {
        var shape = in.type().shape();
        int before = Strides.product(shape, 0, dim);
        int count = shape.dim(dim);
        int after = Strides.product(shape, dim + 1, shape.rank());
        int picks = indices.size();
        var sums = in.isFloat() ? in.reals() : new double[0];
        var wholes = in.isFloat() ? new long[0] : in.integers();
        for (int p = 0; p < picks; p++) {
            long index = indices.integer(p);
            if (index < 0 || index >= count) {
                continue;
            }
            for (int b = 0; b < before; b++) {
                for (int a = 0; a < after; a++) {
                    int to = (b * count + (int) index) * after + a;
                    int from = (b * picks + p) * after + a;
                    if (in.isFloat()) {
                        sums[to] += updates.real(from);
                    } else {
                        wholes[to] += updates.integer(from);
                    }
                }
            }
        }
        out.putAll(sums);
        out.putAll(wholes);
    }
}
