package org.meshbook.elastic.jit.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.jit.trace.Trace;

/// One operation for many examples: dimension 0 of what is mapped counts them, so that all other
/// dimensions move up by one.
///
/// Source: the batching rules of `jax/_src/lax`, https://github.com/jax-ml/jax
final class BatchRule {
    private final Trace trace;
    private final List<Array> in;
    private final boolean[] mapped;
    private final int size;

    /// @param mapped at least one operand is
    BatchRule(Trace trace, List<Array> in, boolean[] mapped, int size) {
        this.trace = trace;
        this.in = in;
        this.mapped = mapped;
        this.size = size;
    }

    Array of(Op op) {
        return switch (op) {
            case Op.Unary _,
                    Op.Binary _,
                    Op.Compare _,
                    Op.Select _,
                    Op.Convert _,
                    Op.StopGradient _,
                    Op.OptimizationBarrier _ ->
                    elementwise(op);
            case Op.BroadcastInDim(var shape, var dims) ->
                    apply(new Op.BroadcastInDim(shape.after(size), front(dims)), in.getFirst());
            case Op.Reshape(var shape) -> apply(new Op.Reshape(shape.after(size)), in.getFirst());
            case Op.Transpose(var permutation) ->
                    apply(new Op.Transpose(front(permutation)), in.getFirst());
            case Op.Reduce(var kind, var dims) ->
                    apply(new Op.Reduce(kind, up(dims)), in.getFirst());
            case Op.ArgMax(int dim) -> apply(new Op.ArgMax(dim + 1), in.getFirst());
            case Op.DotGeneral dot -> product().dot(dot);
            case Op.Convolution conv -> product().convolution(conv);
            case Op.Slice(var start, var limit, var stride) ->
                    apply(
                            new Op.Slice(before(0, start), before(size, limit), before(1, stride)),
                            in.getFirst());
            case Op.Pad pad -> pad(pad);
            case Op.Concatenate(int dim) -> trace.apply(new Op.Concatenate(dim + 1), all());
            case Op.Reverse(var dims) -> apply(new Op.Reverse(up(dims)), in.getFirst());
            case Op.Take(int dim) -> index().take(dim);
            case Op.ScatterAdd(int dim) -> index().scatterAdd(dim);
            case Op.DynamicSlice slice -> windows().dynamicSlice(slice);
            case Op.DynamicUpdateSlice _ -> windows().dynamicUpdate();
            case Op.Gather gather -> windows().gather(gather);
            case Op.Scatter scatter -> windows().scatter(scatter);
            case Op.ArgSort(int dim, boolean descending) ->
                    apply(new Op.ArgSort(dim + 1, descending), in.getFirst());
            // A wish about places; the numbers are the same without it.
            case Op.ShardingConstraint _ -> in.getFirst();
            case Op.AllReduce _,
                    Op.AllGather _,
                    Op.ReduceScatter _,
                    Op.ShardOf _,
                    Op.AxisIndex _,
                    Op.AllToAll _,
                    Op.CollectivePermute _,
                    Op.FullToShard _,
                    Op.ShardToFull _ ->
                    throw new UsageError(
                            "vmap: %s speaks to other devices, which has no batched form; map over"
                                    + " the examples outside the per-device function",
                            op);
            case Op.Constant _, Op.Iota _ ->
                    throw new IllegalStateException(op + " takes nothing that is mapped");
            case Op.Cond _, Op.While _, Op.Scan _, Op.Remat _, Op.CustomVjp _, Op.Result _ ->
                    throw new IllegalStateException(op + " has its rule in FlowBatch");
        };
    }

    private ContractionBatch product() {
        return new ContractionBatch(trace, in, mapped, size);
    }

    private WindowBatch windows() {
        return new WindowBatch(trace, in, mapped, size);
    }

    private IndexBatch index() {
        return new IndexBatch(trace, in, mapped, size);
    }

    /// The default for whatever works element by element: operands that are the same for all
    /// examples are repeated.
    private Array elementwise(Op op) {
        return trace.apply(op, all());
    }

    private List<Array> all() {
        return IntStream.range(0, in.size())
                .mapToObj(i -> mapped[i] ? in.get(i) : Batched.repeated(trace, in.get(i), size))
                .toList();
    }

    /// A value that differs between examples is chosen where the padding is.
    private Array pad(Op.Pad pad) {
        var op = new Op.Pad(before(0, pad.low()), before(0, pad.high()), before(0, pad.interior()));
        var x = all().getFirst();
        if (!mapped[1]) {
            return apply(op, x, in.get(1));
        }
        var padded = apply(op, x, trace.fill(ArrayType.of(x.dtype()), 0));
        var ones = trace.fill(new ArrayType(DType.I32, x.shape()), 1);
        var zero = trace.fill(ArrayType.of(DType.I32), 0);
        var inside = apply(op, ones, zero).ne(0);
        var value = apply(new Op.BroadcastInDim(padded.shape(), List.of(0)), in.get(1));
        return inside.select(padded, value);
    }

    private Array apply(Op op, Array... operands) {
        return trace.apply(op, List.of(operands));
    }

    static List<Integer> up(List<Integer> dims) {
        return dims.stream().map(dim -> dim + 1).toList();
    }

    private static List<Integer> front(List<Integer> dims) {
        return before(0, up(dims));
    }

    static List<Integer> before(int first, List<Integer> rest) {
        var all = new ArrayList<Integer>(rest.size() + 1);
        all.add(first);
        all.addAll(rest);
        return all;
    }

    /// Moves a dimension.
    static Array moved(Trace trace, Array x, int from, int to) {
        if (from == to) {
            return x;
        }
        var order = new ArrayList<>(IntStream.range(0, x.shape().rank()).boxed().toList());
        order.add(to, order.remove(from));
        return trace.apply(new Op.Transpose(order), List.of(x));
    }

    /// Makes one dimension of two neighbours, or two of one.
    static Array reshaped(Trace trace, Array x, List<Integer> dims) {
        var shape = new Shape(dims);
        return shape.equals(x.shape()) ? x : trace.apply(new Op.Reshape(shape), List.of(x));
    }
}
