package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// Types of results, or one line that names the operation and the types that do not fit.
///
/// Source: the constraints of https://openxla.org/stablehlo/spec
final class Inference {
    private final Op op;
    private final List<ArrayType> operands;

    private Inference(Op op, List<ArrayType> operands) {
        this.op = op;
        this.operands = operands;
    }

    static ArrayType of(Op op, List<ArrayType> operands) {
        return new Inference(op, operands).infer();
    }

    private ArrayType infer() {
        return switch (op) {
            case Op.Constant(var value) -> value.type();
            case Op.Iota(var type, int dim) -> iota(type, dim);
            case Op.Unary(var kind) -> unary(kind);
            case Op.Binary(var kind) -> binary(kind);
            case Op.Compare _ -> new ArrayType(DType.BOOL, equal().shape());
            case Op.Select _ -> select();
            case Op.Convert(var dtype) -> new ArrayType(dtype, one().shape());
            case Op.BroadcastInDim(var shape, var dims) -> broadcast(shape, dims);
            case Op.Reshape(var shape) -> reshape(shape);
            case Op.Transpose(var permutation) -> transpose(permutation);
            case Op.Reduce(_, var dims) -> reduce(dims);
            case Op.ArgMax(int dim) -> argMax(dim);
            case Op.DotGeneral dot -> dot(dot);
            case Op.Convolution conv -> convolution(conv);
            case Op.Slice slice -> slice(slice);
            case Op.Pad pad -> pad(pad);
            case Op.Concatenate(int dim) -> concatenate(dim);
            case Op.Reverse(var dims) -> {
                dims.forEach(dim -> inRange(dim, one()));
                yield one();
            }
            case Op.Take(int dim) -> take(two(), dim);
            case Op.ScatterAdd(int dim) -> scatter(dim);
            case Op.StopGradient _, Op.AllReduce _ -> one();
            case Op.AllGather(_, int dim, int size) ->
                    resized(dim, Math.multiplyExact(size, at(dim)));
            case Op.ReduceScatter(var axes, int dim, int size) ->
                    resized(dim, piece(axes, dim, size));
            case Op.ShardOf(var axes, int dim, int size) -> resized(dim, piece(axes, dim, size));
            case Op.AxisIndex _ -> ArrayType.of(DType.I32);
        };
    }

    private ArrayType iota(ArrayType type, int dim) {
        check(dim >= 0 && dim < type.shape().rank(), "dimension %d is not in %s", dim, type);
        check(type.dtype() != DType.BOOL, "truth values cannot count up; use i32");
        return type;
    }

    private ArrayType unary(Op.UnaryKind kind) {
        var x = one();
        boolean fits =
                switch (kind) {
                    case NOT -> x.dtype() == DType.BOOL;
                    case NEGATE, ABS, SIGN -> x.dtype() != DType.BOOL;
                    default -> x.dtype().isFloat();
                };
        defined(fits, x, kind == Op.UnaryKind.NOT ? DType.BOOL : DType.F32);
        return x;
    }

    private ArrayType binary(Op.BinaryKind kind) {
        var x = equal();
        boolean logical = kind == Op.BinaryKind.AND || kind == Op.BinaryKind.OR;
        defined(logical == (x.dtype() == DType.BOOL), x, logical ? DType.BOOL : DType.F32);
        return x;
    }

    private ArrayType select() {
        arity(3);
        var predicate = operands.get(0);
        var yes = operands.get(1);
        check(
                predicate.dtype() == DType.BOOL,
                "the predicate is %s; compare first, as in x.gt(0)",
                predicate);
        check(
                yes.equals(operands.get(2)) && predicate.shape().equals(yes.shape()),
                "%s, %s and %s do not fit; shapes must be equal and both values of one dtype",
                predicate,
                yes,
                operands.get(2));
        return yes;
    }

    private ArrayType broadcast(Shape shape, List<Integer> dims) {
        var x = one();
        boolean fits =
                dims.size() == x.shape().rank()
                        && distinct(dims)
                        && dims.stream().allMatch(d -> d >= 0 && d < shape.rank());
        for (int i = 0; fits && i < dims.size(); i++) {
            int size = x.shape().dim(i);
            fits = size == 1 || size == shape.dim(dims.get(i));
        }
        check(fits, "%s does not fit %s; sizes must be equal or 1", x, shape);
        return new ArrayType(x.dtype(), shape);
    }

    private ArrayType reshape(Shape shape) {
        var x = one();
        check(
                x.shape().size() == shape.size(),
                "%s has %d elements, %s needs %d",
                x,
                x.shape().size(),
                shape,
                shape.size());
        return new ArrayType(x.dtype(), shape);
    }

    private ArrayType transpose(List<Integer> permutation) {
        var x = one();
        var sorted = permutation.stream().sorted().toList();
        check(
                sorted.equals(IntStream.range(0, x.shape().rank()).boxed().toList()),
                "%s is no permutation of the %d dimensions of %s",
                permutation,
                x.shape().rank(),
                x);
        return new ArrayType(
                x.dtype(), new Shape(permutation.stream().map(i -> x.shape().dim(i)).toList()));
    }

    private ArrayType reduce(List<Integer> dims) {
        var x = one();
        dims.forEach(dim -> inRange(dim, x));
        check(distinct(dims), "dimensions %s repeat", dims);
        defined(x.dtype() != DType.BOOL, x, DType.I32);
        return new ArrayType(x.dtype(), new Shape(without(x.shape(), dims)));
    }

    private ArrayType argMax(int dim) {
        var x = one();
        inRange(dim, x);
        check(x.shape().dim(dim) > 0, "dimension %d of %s is empty", dim, x);
        return new ArrayType(DType.I32, new Shape(without(x.shape(), List.of(dim))));
    }

    private ArrayType dot(Op.DotGeneral dot) {
        var a = two();
        var b = operands.get(1);
        sameDtype(a, b);
        pairs(dot.lhsBatch(), dot.rhsBatch(), "batch");
        pairs(dot.lhsContract(), dot.rhsContract(), "contracting");
        var left = new ArrayList<>(dot.lhsBatch());
        left.addAll(dot.lhsContract());
        var right = new ArrayList<>(dot.rhsBatch());
        right.addAll(dot.rhsContract());
        check(distinct(left) && distinct(right), "a dimension is named twice in %s", dot);
        var dims = new ArrayList<Integer>();
        dot.lhsBatch().forEach(dim -> dims.add(a.shape().dim(dim)));
        dims.addAll(without(a.shape(), left));
        dims.addAll(without(b.shape(), right));
        return new ArrayType(a.dtype(), new Shape(dims));
    }

    private void pairs(List<Integer> lhs, List<Integer> rhs, String role) {
        var a = operands.get(0);
        var b = operands.get(1);
        check(lhs.size() == rhs.size(), "%s dimensions %s and %s differ in number", role, lhs, rhs);
        for (int i = 0; i < lhs.size(); i++) {
            inRange(lhs.get(i), a);
            inRange(rhs.get(i), b);
            int left = a.shape().dim(lhs.get(i));
            int right = b.shape().dim(rhs.get(i));
            check(
                    left == right,
                    "%s and %s do not fit; %s dimension %d of the left is %d, dimension %d of the"
                            + " right is %d",
                    a,
                    b,
                    role,
                    lhs.get(i),
                    left,
                    rhs.get(i),
                    right);
        }
    }

    private ArrayType convolution(Op.Convolution conv) {
        var x = two();
        var k = operands.get(1);
        sameDtype(x, k);
        int spatial = conv.strides().size();
        check(
                x.shape().rank() == spatial + 2 && k.shape().rank() == spatial + 2,
                "%s and %s do not fit; with %d spatial dimensions use input [N,spatial...,C] and"
                        + " kernel [spatial...,C,F]",
                x,
                k,
                spatial);
        check(
                x.shape().dim(-1) == k.shape().dim(-2),
                "%s and %s do not fit; the input has %d channels, the kernel takes %d",
                x,
                k,
                x.shape().dim(-1),
                k.shape().dim(-2));
        var dims = new ArrayList<Integer>();
        dims.add(x.shape().dim(0));
        for (int i = 0; i < spatial; i++) {
            int in = dilated(x.shape().dim(i + 1), conv.inputDilation().get(i));
            int window = dilated(k.shape().dim(i), conv.kernelDilation().get(i));
            int room = in + conv.low().get(i) + conv.high().get(i) - window;
            dims.add(room < 0 ? 0 : room / conv.strides().get(i) + 1);
        }
        dims.add(k.shape().dim(-1));
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    static int dilated(int size, int factor) {
        return size == 0 ? 0 : (size - 1) * factor + 1;
    }

    private ArrayType slice(Op.Slice slice) {
        var x = one();
        int rank = x.shape().rank();
        boolean fits =
                slice.start().size() == rank
                        && slice.limit().size() == rank
                        && slice.stride().size() == rank;
        var dims = new ArrayList<Integer>();
        for (int i = 0; fits && i < rank; i++) {
            int start = slice.start().get(i);
            int limit = slice.limit().get(i);
            int stride = slice.stride().get(i);
            fits = 0 <= start && start <= limit && limit <= x.shape().dim(i) && stride >= 1;
            dims.add(fits ? (limit - start + stride - 1) / stride : 0);
        }
        check(
                fits,
                "%s has no part from %s to %s by %s",
                x,
                slice.start(),
                slice.limit(),
                slice.stride());
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType pad(Op.Pad pad) {
        var x = two();
        var value = operands.get(1);
        sameDtype(x, value);
        check(value.shape().rank() == 0, "the padding value is %s; it must be a scalar", value);
        int rank = x.shape().rank();
        boolean fits =
                pad.low().size() == rank
                        && pad.high().size() == rank
                        && pad.interior().size() == rank;
        var dims = new ArrayList<Integer>();
        for (int i = 0; fits && i < rank; i++) {
            int inner = dilated(x.shape().dim(i), pad.interior().get(i) + 1);
            int size = inner + pad.low().get(i) + pad.high().get(i);
            fits = size >= 0 && pad.interior().get(i) >= 0;
            dims.add(Math.max(size, 0));
        }
        check(
                fits,
                "%s cannot take padding low %s, high %s, interior %s",
                x,
                pad.low(),
                pad.high(),
                pad.interior());
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType concatenate(int dim) {
        check(!operands.isEmpty(), "there is nothing to join");
        var first = operands.getFirst();
        inRange(dim, first);
        int size = 0;
        for (var other : operands) {
            sameDtype(first, other);
            boolean fits = other.shape().rank() == first.shape().rank();
            for (int i = 0; fits && i < first.shape().rank(); i++) {
                fits = i == dim || other.shape().dim(i) == first.shape().dim(i);
            }
            check(
                    fits,
                    "%s and %s do not fit; shapes may differ only in dimension %d",
                    first,
                    other,
                    dim);
            size = Math.addExact(size, other.shape().dim(dim));
        }
        return resized(dim, size);
    }

    private ArrayType take(ArrayType x, int dim) {
        var indices = operands.get(1);
        inRange(dim, x);
        check(
                indices.dtype().isInteger(),
                "indices are %s; cast them, as in i.cast(DType.I32)",
                indices);
        var dims = new ArrayList<>(x.shape().dims().subList(0, dim));
        dims.addAll(indices.shape().dims());
        dims.addAll(x.shape().dims().subList(dim + 1, x.shape().rank()));
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType scatter(int dim) {
        arity(3);
        var x = operands.get(0);
        var wanted = take(x, dim);
        check(
                operands.get(2).equals(wanted),
                "%s at %s of %s does not fit; updates must be %s",
                operands.get(2),
                operands.get(1),
                x,
                wanted);
        return x;
    }

    private int piece(List<String> axes, int dim, int size) {
        int whole = at(dim);
        check(
                whole % size == 0,
                "dimension %d of %s does not divide over axes %s of %d; use a multiple of %d",
                dim,
                operands.getFirst(),
                axes,
                size,
                size);
        return whole / size;
    }

    private int at(int dim) {
        inRange(dim, one());
        return one().shape().dim(dim);
    }

    private ArrayType resized(int dim, int size) {
        var x = operands.getFirst();
        var dims = new ArrayList<>(x.shape().dims());
        dims.set(dim, size);
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType one() {
        arity(1);
        return operands.getFirst();
    }

    private ArrayType two() {
        arity(2);
        return operands.getFirst();
    }

    /// Two operands of one type.
    private ArrayType equal() {
        var x = two();
        var y = operands.get(1);
        sameDtype(x, y);
        check(x.equals(y), "%s and %s do not fit; shapes must be equal or broadcast", x, y);
        return x;
    }

    private void sameDtype(ArrayType x, ArrayType y) {
        castable(
                x.dtype() == y.dtype(),
                "%s and %s differ in dtype; cast one of them, as in y.cast(DType.%s)",
                x,
                y,
                x.dtype().name());
    }

    private void arity(int wanted) {
        check(operands.size() == wanted, "takes %d operands, got %s", wanted, operands);
    }

    private void inRange(int dim, ArrayType x) {
        check(
                dim >= 0 && dim < x.shape().rank(),
                "dimension %d is not one of the %d of %s",
                dim,
                x.shape().rank(),
                x);
    }

    private static boolean distinct(List<Integer> dims) {
        return dims.stream().distinct().count() == dims.size();
    }

    static List<Integer> without(Shape shape, List<Integer> dims) {
        var kept = new ArrayList<Integer>();
        for (int i = 0; i < shape.rank(); i++) {
            if (!dims.contains(i)) {
                kept.add(shape.dim(i));
            }
        }
        return Collections.unmodifiableList(kept);
    }

    private void check(boolean holds, String format, Object... facts) {
        if (!holds) {
            throw new MeshMismatch(
                    "%s", word(op) + ": " + String.format(Locale.ROOT, format, facts));
        }
    }

    private void defined(boolean holds, ArrayType x, DType wanted) {
        castable(holds, "is not defined for %s; cast it, as in x.cast(DType.%s)", x, wanted.name());
    }

    private void castable(boolean holds, String format, Object... facts) {
        if (!holds) {
            throw new UsageError("%s", word(op) + ": " + String.format(Locale.ROOT, format, facts));
        }
    }

    /// The name of an operation as users know it.
    static String word(Op op) {
        return switch (op) {
            case Op.Unary(var kind) -> kind.name().toLowerCase(Locale.ROOT);
            case Op.Binary(var kind) -> kind.name().toLowerCase(Locale.ROOT);
            case Op.Compare(var kind) -> "compare " + kind;
            case Op.Reduce(var kind, _) -> "reduce " + kind.name().toLowerCase(Locale.ROOT);
            case Op.DotGeneral _ -> "dot_general";
            default -> {
                var name = op.getClass().getSimpleName();
                yield name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
            }
        };
    }
}
