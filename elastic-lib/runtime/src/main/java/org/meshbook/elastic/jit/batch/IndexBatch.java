package org.meshbook.elastic.jit.batch;

import static org.meshbook.elastic.jit.batch.BatchRule.before;
import static org.meshbook.elastic.jit.batch.BatchRule.moved;
import static org.meshbook.elastic.jit.batch.BatchRule.reshaped;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.jit.trace.Trace;

/// Indexing for many examples. Where the indices differ between examples, the examples' arrays are
/// laid end to end and the indices of example `b` moved by `b` arrays.
record IndexBatch(Trace trace, List<Array> in, boolean[] mapped, int size) {

    Array take(int dim) {
        var x = in.get(0);
        var indices = in.get(1);
        if (!mapped[1]) {
            return trace.apply(new Op.Take(dim + 1), in);
        }
        if (!mapped[0]) {
            return moved(trace, trace.apply(new Op.Take(dim), in), dim, 0);
        }
        int length = x.shape().dim(dim + 1);
        var flat = flat(moved(trace, x, dim + 1, 1));
        var at = indices.cast(DType.I64).maximum(0).minimum(length - 1.0);
        var taken = trace.apply(new Op.Take(0), List.of(flat, at.add(offsets(at, length))));
        return around(taken, indices.shape().rank(), dim);
    }

    Array scatterAdd(int dim) {
        var x = whole(0);
        if (!mapped[1]) {
            return trace.apply(new Op.ScatterAdd(dim + 1), List.of(x, in.get(1), whole(2)));
        }
        int length = x.shape().dim(dim + 1);
        var front = moved(trace, x, dim + 1, 1);
        var at = in.get(1).cast(DType.I64);
        var inside = at.ge(0).and(at.lt(length));
        var outside = trace.fill(at.type(), (double) size * length);
        var places = inside.select(at.add(offsets(at, length)), outside);
        // updates: [B, before, indices, after] to [B, indices, before, after]
        int count = at.shape().rank() - 1;
        var updates = whole(2);
        for (int i = 0; i < count; i++) {
            updates = moved(trace, updates, dim + 1 + i, 1 + i);
        }
        var made = trace.apply(new Op.ScatterAdd(0), List.of(flat(front), places, updates));
        return moved(trace, reshaped(trace, made, front.shape().dims()), 1, dim + 1);
    }

    private Array whole(int i) {
        return mapped[i] ? in.get(i) : Batched.repeated(trace, in.get(i), size);
    }

    /// `[B, n, ...]` as `[B * n, ...]`.
    private Array flat(Array x) {
        var dims = new ArrayList<>(x.shape().tail().dims());
        dims.set(0, size * dims.getFirst());
        return reshaped(trace, x, dims);
    }

    /// `b * length` for example `b`.
    private Array offsets(Array like, int length) {
        var type = new ArrayType(DType.I64, like.shape());
        var number = trace.apply(new Op.Iota(type, 0), List.of());
        return number.mul(length);
    }

    /// `[B, indices, before, after]` to `[B, before, indices, after]`.
    private Array around(Array taken, int indexRank, int dim) {
        int indices = indexRank - 1;
        var order = new ArrayList<>(before(0, List.of()));
        IntStream.range(0, dim).forEach(i -> order.add(1 + indices + i));
        IntStream.range(0, indices).forEach(i -> order.add(1 + i));
        IntStream.range(1 + indices + dim, taken.shape().rank()).forEach(order::add);
        return trace.apply(new Op.Transpose(order), List.of(taken));
    }
}
