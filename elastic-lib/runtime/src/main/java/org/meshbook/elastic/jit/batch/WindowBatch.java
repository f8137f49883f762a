package org.meshbook.elastic.jit.batch;

import static org.meshbook.elastic.jit.batch.BatchRule.before;
import static org.meshbook.elastic.jit.batch.BatchRule.up;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.ScatterKind;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.jit.trace.Trace;

/// Windows whose place is data, for many examples: a dimension that windows take whole where the
/// places are the same for all, one that goes along with the indices where they differ.
record WindowBatch(Trace trace, List<Array> in, boolean[] mapped, int size) {
    Array dynamicSlice(Op.DynamicSlice slice) {
        if (!differ(1)) {
            var sizes = before(size, slice.sizes());
            return trace.apply(new Op.DynamicSlice(sizes), started(List.of(in.getFirst()), 1));
        }
        var x = in.getFirst();
        int rank = slice.sizes().size();
        var dims = IntStream.range(0, rank).boxed().toList();
        var map =
                mapped[0]
                        ? along(rank)
                        : new IndexMap(up(dims), List.of(), List.of(), List.of(), dims, 1);
        var sizes = mapped[0] ? before(1, slice.sizes()) : slice.sizes();
        return trace.apply(new Op.Gather(map, sizes), List.of(x, vectors(1)));
    }

    Array dynamicUpdate() {
        var x = whole(0);
        var update = whole(1);
        if (!differ(2)) {
            return trace.apply(new Op.DynamicUpdateSlice(), started(List.of(x, update), 2));
        }
        // A scatter drops where a slice is moved inside.
        var ends = new int[x.shape().rank() - 1];
        for (int d = 0; d < ends.length; d++) {
            ends[d] = x.shape().dim(d + 1) - update.shape().dim(d + 1);
        }
        var vectors = vectors(2);
        var starts = vectors.maximum(0).minimum(Array.of(ends).cast(vectors.dtype()));
        var op = new Op.Scatter(ScatterKind.SET, along(ends.length));
        return trace.apply(op, List.of(x, starts, update));
    }

    private boolean differ(int first) {
        return IntStream.range(first, in.size()).anyMatch(i -> mapped[i]);
    }

    /// The examples' dimension starts at 0.
    private List<Array> started(List<Array> arrays, int first) {
        var all = new ArrayList<>(arrays);
        if (first < in.size()) {
            all.add(trace.fill(in.get(first).type(), 0));
            all.addAll(in.subList(first, in.size()));
        } else {
            all.add(trace.fill(ArrayType.of(DType.I32), 0));
        }
        return all;
    }

    /// One index vector for each example.
    private Array vectors(int first) {
        var columns =
                IntStream.range(first, in.size())
                        .mapToObj(this::whole)
                        .map(x -> trace.apply(new Op.Reshape(Shape.of(size, 1)), List.of(x)))
                        .toList();
        return trace.apply(new Op.Concatenate(1), columns);
    }

    /// Whole windows at one vector for each example.
    private static IndexMap along(int rank) {
        var dims = IntStream.rangeClosed(1, rank).boxed().toList();
        return new IndexMap(dims, List.of(), List.of(0), List.of(0), dims, 1);
    }

    Array gather(Op.Gather gather) {
        var map = gather.map();
        if (!mapped[1]) {
            return trace.apply(new Op.Gather(same(map), before(size, gather.sizes())), in);
        }
        if (!mapped[0]) {
            var shared =
                    new IndexMap(
                            up(map.window()),
                            map.dropped(),
                            map.batch(),
                            up(map.indexBatch()),
                            map.indexed(),
                            map.vector() + 1);
            return trace.apply(new Op.Gather(shared, gather.sizes()), in);
        }
        return trace.apply(new Op.Gather(own(map), before(1, gather.sizes())), in);
    }

    Array scatter(Op.Scatter scatter) {
        var map = mapped[1] ? own(scatter.map()) : same(scatter.map());
        var op = new Op.Scatter(scatter.kind(), map);
        return trace.apply(op, List.of(whole(0), in.get(1), whole(2)));
    }

    /// All examples have the same indices: each window takes all of them.
    private static IndexMap same(IndexMap map) {
        return new IndexMap(
                before(0, up(map.window())),
                up(map.dropped()),
                up(map.batch()),
                map.indexBatch(),
                up(map.indexed()),
                map.vector());
    }

    /// Each example has its own array and its own indices.
    private static IndexMap own(IndexMap map) {
        return new IndexMap(
                up(map.window()),
                up(map.dropped()),
                before(0, up(map.batch())),
                before(0, up(map.indexBatch())),
                up(map.indexed()),
                map.vector() + 1);
    }

    private Array whole(int i) {
        return mapped[i] ? in.get(i) : Batched.repeated(trace, in.get(i), size);
    }
}
