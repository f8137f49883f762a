package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.ScatterKind;
import org.meshbook.elastic.array.Shape;

/// Cotangents of operations whose addresses are data: what was read is written, what was written is
/// read.
final class IndexVjp {
    private final List<Array> in;
    private final Array ct;
    private final Vjp.Sink sink;

    IndexVjp(List<Array> in, Array cotangent, Vjp.Sink sink) {
        this.in = in;
        this.ct = cotangent;
        this.sink = sink;
    }

    void dynamicSlice() {
        var starts = in.subList(1, in.size());
        sink.add(0, update(zeros(in.getFirst().type()), ct, starts));
    }

    void dynamicUpdate() {
        var update = in.get(1);
        var starts = in.subList(2, in.size());
        sink.add(0, update(ct, zeros(update.type()), starts));
        var operands = new ArrayList<>(List.of(ct));
        operands.addAll(starts);
        sink.add(1, ct.apply(new Op.DynamicSlice(update.shape().dims()), operands));
    }

    private static Array update(Array x, Array block, List<Array> starts) {
        var operands = new ArrayList<>(List.of(x, block));
        operands.addAll(starts);
        return x.apply(new Op.DynamicUpdateSlice(), operands);
    }

    /// A gather clamps, a scatter drops: the indices are clamped first.
    void gather(Op.Gather gather) {
        var x = in.get(0);
        var indices = in.get(1);
        var last = last(gather.map(), x.shape(), gather.sizes(), indices);
        var clamped = indices.maximum(0).minimum(last);
        var scatter = new Op.Scatter(ScatterKind.ADD, gather.map());
        sink.add(0, Vjp.apply(scatter, zeros(x.type()), clamped, ct));
    }

    void scatter(Op.Scatter scatter) {
        switch (scatter.kind()) {
            case ADD -> {
                sink.add(0, ct);
                sink.add(2, kept(scatter.map(), read(scatter.map(), ct)));
            }
            case SET -> set(scatter.map());
            case MULTIPLY, MAX, MIN ->
                    throw new UsageError(
                            "scatter %s has no gradient, as in JAX; use add or set, or stop the"
                                    + " gradient",
                            scatter.kind().name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    /// Where several updates met one element, the last one wins: numbers are written along with the
    /// updates, and read to see whose is left.
    private void set(IndexMap map) {
        var updates = in.get(2).shape();
        int count = Math.toIntExact(updates.size());
        var flat = traced(new Op.Iota(ArrayType.of(DType.I32, count), 0));
        var numbers = Vjp.apply(new Op.Reshape(updates), flat.add(1));
        var none = zeros(new ArrayType(DType.I32, in.getFirst().shape()));
        var winners = Vjp.apply(new Op.Scatter(ScatterKind.SET, map), none, in.get(1), numbers);
        sink.add(0, winners.eq(0).select(ct, zeros(ct.type())));
        var won = read(map, winners).eq(numbers);
        var part = kept(map, read(map, ct));
        sink.add(2, won.select(part, zeros(part.type())));
    }

    /// What lies in an array where the updates were written.
    private Array read(IndexMap map, Array x) {
        var sizes = map.sizes(x.shape(), in.get(2).shape());
        return Vjp.apply(new Op.Gather(map, sizes), x, in.get(1));
    }

    /// Zeros where an update was dropped.
    private Array kept(IndexMap map, Array part) {
        var x = in.getFirst().shape();
        var indices = in.get(1);
        var last = last(map, x, map.sizes(x, part.shape()), indices);
        var inside = indices.ge(0).and(indices.le(last));
        if (map.vector() < indices.shape().rank()) {
            inside = inside.all(map.vector());
        }
        var mask = new Op.BroadcastInDim(part.shape(), map.around(part.shape().rank()));
        return Vjp.apply(mask, inside).select(part, zeros(part.type()));
    }

    /// The last start of a window that lies inside, for each component, shaped to meet the indices.
    private static Array last(IndexMap map, Shape x, List<Integer> sizes, Array indices) {
        var ends = map.indexed().stream().mapToInt(d -> x.dim(d) - sizes.get(d)).toArray();
        int rank = indices.shape().rank();
        var shape =
                IntStream.range(0, rank).map(d -> d == map.vector() ? ends.length : 1).toArray();
        return Array.of(ends).cast(indices.dtype()).reshape(shape);
    }

    private Array zeros(ArrayType type) {
        var zero = Array.zeros(type.dtype());
        return ct.apply(new Op.BroadcastInDim(type.shape(), List.of()), List.of(zero));
    }

    private Array traced(Op op) {
        return ct.apply(op, List.of());
    }
}
