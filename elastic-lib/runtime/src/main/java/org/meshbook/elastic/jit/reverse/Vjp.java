package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// How a change of one operation's result comes from changes of its operands, backwards: the
/// cotangent of the result becomes cotangents of the operands.
///
/// Rules write more than is needed; the graph builder drops what no result uses. Conventions are
/// JAX's: ties of max and min share evenly, `abs` is flat at 0. Source: `jax/_src/lax`,
/// https://github.com/jax-ml/jax
public final class Vjp {
    private final List<Array> in;
    private final Array out;
    private final Array ct;
    private final Sink sink;

    /// Takes the cotangent of one operand.
    public interface Sink {
        /// @param operand its number
        /// @param cotangent a part of its cotangent; parts are added up
        void add(int operand, Array cotangent);
    }

    /// @param in operands, of one trace
    /// @param out the result
    /// @param cotangent of the result
    /// @param sink takes the operands' cotangents
    public Vjp(List<Array> in, Array out, Array cotangent, Sink sink) {
        this.in = in;
        this.out = out;
        this.ct = cotangent;
        this.sink = sink;
    }

    /// Applies the rule of an operation.
    ///
    /// @param op what made the result of the operands
    public void of(Op op) {
        switch (op) {
            case Op.Unary(var kind) -> sink.add(0, unary(kind, in.getFirst()));
            case Op.Binary(var kind) -> binary(kind, in.get(0), in.get(1));
            case Op.Select _ -> {
                var no = fill(ct.type(), 0);
                sink.add(1, in.get(0).select(ct, no));
                sink.add(2, in.get(0).select(no, ct));
            }
            case Op.Convert _ -> sink.add(0, ct.cast(in.getFirst().dtype()));
            case Op.BroadcastInDim(_, var dims) -> sink.add(0, unbroadcast(dims));
            case Op.Reshape _ -> sink.add(0, apply(new Op.Reshape(in.getFirst().shape()), ct));
            case Op.Transpose(var permutation) ->
                    sink.add(0, apply(new Op.Transpose(order(permutation)), ct));
            case Op.Reduce(var kind, var dims) -> sink.add(0, reduce(kind, dims));
            case Op.DotGeneral dot -> dot(dot);
            case Op.Convolution conv -> new ConvolutionVjp(conv, in.get(0), in.get(1), ct).of(sink);
            case Op.Slice slice -> sink.add(0, slice(slice));
            case Op.Pad pad -> pad(pad);
            case Op.Concatenate(int dim) -> concatenate(dim);
            case Op.Reverse(var dims) -> sink.add(0, apply(new Op.Reverse(dims), ct));
            case Op.Take(int dim) -> take(dim);
            case Op.ScatterAdd(int dim) -> scatter(dim);
            case Op.DynamicSlice _ -> index().dynamicSlice();
            case Op.DynamicUpdateSlice _ -> index().dynamicUpdate();
            case Op.Gather gather -> index().gather(gather);
            case Op.Scatter scatter -> index().scatter(scatter);
            case Op.AllReduce _,
                    Op.AllGather _,
                    Op.ReduceScatter _,
                    Op.ShardOf _,
                    Op.AllToAll _,
                    Op.CollectivePermute _,
                    Op.ShardingConstraint _,
                    Op.FullToShard _,
                    Op.ShardToFull _ ->
                    sink.add(0, new CollectiveVjp(in.getFirst(), out, ct).of(op));
            case Op.OptimizationBarrier _ -> sink.add(0, ct);
            case Op.Cond _, Op.While _, Op.Scan _, Op.Remat _, Op.CustomVjp _, Op.Result _ ->
                    throw new IllegalStateException(op + " has its way back in FlowVjp");
            case Op.Constant _,
                    Op.Iota _,
                    Op.Compare _,
                    Op.ArgMax _,
                    Op.ArgSort _,
                    Op.StopGradient _,
                    Op.AxisIndex _ -> {}
        }
    }

    private IndexVjp index() {
        return new IndexVjp(in, ct, sink);
    }

    private Array unary(Op.UnaryKind kind, Array x) {
        return switch (kind) {
            case NEGATE -> ct.neg();
            case ABS -> ct.mul(x.sign());
            case EXP -> ct.mul(out);
            case EXPM1 -> ct.mul(out.add(1));
            case LOG -> ct.div(x);
            case LOG1P -> ct.div(x.add(1));
            case SQRT -> ct.mul(0.5).div(out);
            case RSQRT -> ct.mul(-0.5).mul(out).div(x);
            case TANH -> ct.mul(out.mul(out).subFrom(1));
            case LOGISTIC -> ct.mul(out).mul(out.subFrom(1));
            case SIN -> ct.mul(x.cos());
            case COS -> ct.mul(x.sin()).neg();
            case CBRT -> ct.mul(out).div(x.mul(3));
            case ERF -> ct.mul(x.mul(x).neg().exp()).mul(2 / Math.sqrt(Math.PI));
            case SIGN, FLOOR, CEIL, ROUND_NEAREST_EVEN, NOT -> fill(x.type(), 0);
        };
    }

    private void binary(Op.BinaryKind kind, Array a, Array b) {
        switch (kind) {
            case ADD -> both(ct, ct);
            case SUBTRACT -> both(ct, ct.neg());
            case MULTIPLY -> both(ct.mul(b), ct.mul(a));
            case DIVIDE -> both(ct.div(b), ct.mul(out).div(b).neg());
            case MAXIMUM -> both(share(a.gt(b), a.eq(b)), share(b.gt(a), a.eq(b)));
            case MINIMUM -> both(share(a.lt(b), a.eq(b)), share(b.lt(a), a.eq(b)));
            case POWER -> {
                var zero = b.eq(0);
                var slope = b.mul(a.pow(zero.select(fill(b.type(), 1), b.sub(1))));
                var positive = a.eq(0).select(fill(a.type(), 1), a);
                both(
                        ct.mul(zero.select(fill(b.type(), 0), slope)),
                        ct.mul(out).mul(positive.log()));
            }
            case REMAINDER -> {
                var whole = a.div(b);
                both(ct, ct.mul(whole.sign().mul(whole.abs().floor())).neg());
            }
            case ATAN2 -> {
                var square = a.mul(a).add(b.mul(b));
                both(ct.mul(b.div(square)), ct.mul(a.div(square)).neg());
            }
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL -> {}
        }
    }

    private void both(Array left, Array right) {
        sink.add(0, left);
        sink.add(1, right);
    }

    /// All of the cotangent where one operand wins, half where both are equal.
    private Array share(Array wins, Array tie) {
        return wins.select(ct, tie.select(ct.mul(0.5), fill(ct.type(), 0)));
    }

    private Array unbroadcast(List<Integer> dims) {
        var shape = in.getFirst().shape();
        var sum = new ArrayList<Integer>();
        for (int i = 0; i < ct.shape().rank(); i++) {
            int from = dims.indexOf(i);
            if (from < 0 || shape.dim(from) != ct.shape().dim(i)) {
                sum.add(i);
            }
        }
        var kept = dims.stream().filter(dim -> !sum.contains(dim)).toList();
        var summed = sum.isEmpty() ? ct : apply(new Op.Reduce(Op.ReduceKind.SUM, sum), ct);
        // What is left lies in the result's order; the operand's may differ.
        var sorted = kept.stream().sorted().toList();
        var permutation = kept.stream().map(sorted::indexOf).toList();
        return apply(new Op.Reshape(shape), apply(new Op.Transpose(permutation), summed));
    }

    private Array reduce(Op.ReduceKind kind, List<Integer> dims) {
        var x = in.getFirst();
        return switch (kind) {
            case SUM -> spread(ct, x.shape(), dims);
            case MAX, MIN -> {
                var ties = x.eq(spread(out, x.shape(), dims)).cast(x.dtype());
                var count = apply(new Op.Reduce(Op.ReduceKind.SUM, dims), ties);
                yield spread(ct.div(count), x.shape(), dims).mul(ties);
            }
            case PRODUCT -> spread(ct, x.shape(), dims).mul(productOfOthers(x, dims));
        };
    }

    /// Repeats a reduced array along the dimensions that were taken away.
    private static Array spread(Array reduced, Shape shape, List<Integer> dims) {
        var kept = IntStream.range(0, shape.rank()).filter(i -> !dims.contains(i)).boxed().toList();
        return apply(new Op.BroadcastInDim(shape, kept), reduced);
    }

    /// For each element the product of the others, exact when elements are 0: a square of the
    /// reduced elements with ones on its diagonal is multiplied up.
    private static Array productOfOthers(Array x, List<Integer> dims) {
        var kept =
                IntStream.range(0, x.shape().rank())
                        .filter(i -> !dims.contains(i))
                        .boxed()
                        .toList();
        var front = Stream.concat(kept.stream(), dims.stream()).toList();
        var moved = apply(new Op.Transpose(front), x);
        int n = dims.stream().mapToInt(x.shape()::dim).reduce(1, Math::multiplyExact);
        var keptSizes = kept.stream().map(x.shape()::dim);
        var flat = new Shape(Stream.concat(keptSizes, Stream.of(n)).toList());
        var square = new Shape(Stream.concat(flat.dims().stream(), Stream.of(n)).toList());
        int rank = square.rank();
        var mapped = new ArrayList<>(IntStream.range(0, rank - 2).boxed().toList());
        mapped.add(rank - 1);
        var index = ArrayType.of(DType.I32, n, n);
        var diagonal = apply(x, new Op.Iota(index, 0)).eq(apply(x, new Op.Iota(index, 1)));
        var rows = apply(new Op.BroadcastInDim(square, mapped), apply(new Op.Reshape(flat), moved));
        var others = diagonal.select(fill(x, rows.type(), 1), rows).prod(-1);
        return apply(new Op.Transpose(order(front)), apply(new Op.Reshape(moved.shape()), others));
    }

    private void dot(Op.DotGeneral dot) {
        var lhs = in.get(0);
        var rhs = in.get(1);
        var lhsFree = free(lhs.shape(), dot.lhsBatch(), dot.lhsContract());
        var rhsFree = free(rhs.shape(), dot.rhsBatch(), dot.rhsContract());
        int batches = dot.lhsBatch().size();
        var batch = IntStream.range(0, batches).boxed().toList();
        var left = IntStream.range(batches, batches + lhsFree.size()).boxed().toList();
        var right = IntStream.range(batches + lhsFree.size(), ct.shape().rank()).boxed().toList();

        // Result of each product: batch, free dimensions, then the contracted ones in the order of
        // the operand that was contracted with.
        var dLhs = apply(new Op.DotGeneral(batch, dot.rhsBatch(), right, rhsFree), ct, rhs);
        var lhsOrder =
                joined(dot.lhsBatch(), lhsFree, sortedBy(dot.lhsContract(), dot.rhsContract()));
        sink.add(0, apply(new Op.Transpose(order(lhsOrder)), dLhs));

        var dRhs = apply(new Op.DotGeneral(dot.lhsBatch(), batch, lhsFree, left), lhs, ct);
        var rhsOrder =
                joined(dot.rhsBatch(), sortedBy(dot.rhsContract(), dot.lhsContract()), rhsFree);
        sink.add(1, apply(new Op.Transpose(order(rhsOrder)), dRhs));
    }

    private static List<Integer> free(Shape shape, List<Integer> batch, List<Integer> contract) {
        return IntStream.range(0, shape.rank())
                .filter(i -> !batch.contains(i) && !contract.contains(i))
                .boxed()
                .toList();
    }

    private static List<Integer> sortedBy(List<Integer> values, List<Integer> keys) {
        return IntStream.range(0, values.size())
                .boxed()
                .sorted(Comparator.comparing(keys::get))
                .map(values::get)
                .toList();
    }

    @SafeVarargs
    private static List<Integer> joined(List<Integer>... parts) {
        return Stream.of(parts).flatMap(List::stream).toList();
    }

    /// Where each of `0, 1, ...` stands in a permutation: its inverse.
    static List<Integer> order(List<Integer> permutation) {
        return IntStream.range(0, permutation.size()).mapToObj(permutation::indexOf).toList();
    }

    private Array slice(Op.Slice slice) {
        var shape = in.getFirst().shape();
        var high = new ArrayList<Integer>();
        var interior = new ArrayList<Integer>();
        for (int i = 0; i < shape.rank(); i++) {
            int stride = slice.stride().get(i);
            int size = ct.shape().dim(i);
            int reach = size == 0 ? 0 : (size - 1) * stride + 1;
            high.add(shape.dim(i) - slice.start().get(i) - reach);
            interior.add(size == 0 ? 0 : stride - 1);
        }
        return ct.pad(slice.start(), high, interior, 0);
    }

    private void pad(Op.Pad pad) {
        var low = pad.low().stream().map(n -> -n).toList();
        var high = pad.high().stream().map(n -> -n).toList();
        var inner = ct.pad(low, high, 0);
        var start = Collections.nCopies(low.size(), 0);
        var stride = pad.interior().stream().map(n -> n + 1).toList();
        var part = inner.slice(start, inner.shape().dims(), stride);
        sink.add(0, part);
        sink.add(1, ct.sum().sub(part.sum()));
    }

    private void concatenate(int dim) {
        int start = 0;
        for (int i = 0; i < in.size(); i++) {
            int size = in.get(i).shape().dim(dim);
            sink.add(i, size == 0 ? fill(in.get(i).type(), 0) : ct.slice(dim, start, start + size));
            start += size;
        }
    }

    private void take(int dim) {
        var x = in.get(0);
        var clamped = in.get(1).clip(0, x.shape().dim(dim) - 1.0);
        sink.add(0, apply(new Op.ScatterAdd(dim), fill(x.type(), 0), clamped, ct));
    }

    private void scatter(int dim) {
        var indices = in.get(1);
        sink.add(0, ct);
        var taken = apply(new Op.Take(dim), ct, indices);
        var inside = indices.ge(0).and(indices.lt(in.get(0).shape().dim(dim)));
        var dims = IntStream.range(dim, dim + indices.shape().rank()).boxed().toList();
        var mask = apply(new Op.BroadcastInDim(taken.shape(), dims), inside);
        sink.add(2, mask.select(taken, fill(taken.type(), 0)));
    }

    private Array fill(ArrayType type, double value) {
        return fill(ct, type, value);
    }

    /// A uniform array, written down in the trace of `by`.
    private static Array fill(Array by, ArrayType type, double value) {
        HostArray scalar = Array.full(type.dtype(), value);
        return apply(by, new Op.BroadcastInDim(type.shape(), List.of()), scalar);
    }

    static Array apply(Op op, Array... operands) {
        boolean idle =
                switch (op) {
                    case Op.Reshape(var shape) -> shape.equals(operands[0].shape());
                    case Op.Transpose(var permutation) -> sorted(permutation);
                    default -> false;
                };
        return idle ? operands[0] : apply(operands[0], op, operands);
    }

    private static boolean sorted(List<Integer> permutation) {
        return permutation.stream().sorted().toList().equals(permutation);
    }

    private static Array apply(Array by, Op op, Array... operands) {
        return by.apply(op, List.of(operands));
    }
}
