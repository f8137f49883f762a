package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Types of results, or one line that names the operation and the types that do not fit.
///
/// Source: the constraints of https://openxla.org/stablehlo/spec
final class Inference {
    private final Op op;
    private final Operands operands;

    private Inference(Op op, List<ArrayType> operands) {
        this.op = op;
        this.operands = new Operands(op, operands);
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
            case Op.Compare _ -> new ArrayType(DType.BOOL, operands.equal().shape());
            case Op.Select _ -> select();
            case Op.Convert(var dtype) -> new ArrayType(dtype, operands.one().shape());
            case Op.BroadcastInDim(var shape, var dims) -> broadcast(shape, dims);
            case Op.Reshape(var shape) -> reshape(shape);
            case Op.Transpose(var permutation) -> transpose(permutation);
            case Op.Reduce(_, var dims) -> reduce(dims);
            case Op.ArgMax(int dim) -> argMax(dim);
            case Op.DotGeneral dot -> new ProductTypes(operands).dot(dot);
            case Op.Convolution conv -> new ProductTypes(operands).convolution(conv);
            case Op.Slice slice -> slice(slice);
            case Op.Pad pad -> pad(pad);
            case Op.Concatenate(int dim) -> concatenate(dim);
            case Op.Reverse(var dims) -> {
                dims.forEach(dim -> operands.inRange(dim, operands.one()));
                yield operands.one();
            }
            case Op.Take(int dim) -> take(operands.two(), dim);
            case Op.ScatterAdd(int dim) -> scatter(dim);
            case Op.DynamicSlice(var sizes) -> new IndexTypes(operands).dynamicSlice(sizes);
            case Op.DynamicUpdateSlice _ -> new IndexTypes(operands).dynamicUpdateSlice();
            case Op.Gather gather -> new IndexTypes(operands).gather(gather);
            case Op.Scatter scatter -> new IndexTypes(operands).scatter(scatter);
            case Op.ArgSort(int dim, _) -> new IndexTypes(operands).argSort(dim);
            case Op.StopGradient _, Op.AllReduce _ -> operands.one();
            case Op.AllGather(_, int dim, int size) ->
                    resized(dim, Math.multiplyExact(size, at(dim)));
            case Op.ReduceScatter(var axes, int dim, int size) ->
                    resized(dim, piece(axes, dim, size));
            case Op.ShardOf(var axes, int dim, int size) -> resized(dim, piece(axes, dim, size));
            case Op.AxisIndex _ -> ArrayType.of(DType.I32);
            case Op.AllToAll _,
                    Op.CollectivePermute _,
                    Op.ShardingConstraint _,
                    Op.FullToShard _,
                    Op.ShardToFull _ ->
                    new ShardingTypes(operands).of(op);
            case Op.Cond _, Op.While _, Op.Scan _, Op.Remat _, Op.CustomVjp _ ->
                    FlowTypes.of(op, operands).getFirst();
            case Op.Result(_, var type) -> type;
            case Op.OptimizationBarrier _ -> operands.get(0);
        };
    }

    private ArrayType iota(ArrayType type, int dim) {
        operands.check(
                dim >= 0 && dim < type.shape().rank(), "dimension %d is not in %s", dim, type);
        operands.check(type.dtype() != DType.BOOL, "truth values cannot count up; use i32");
        return type;
    }

    private ArrayType unary(Op.UnaryKind kind) {
        var x = operands.one();
        boolean fits =
                switch (kind) {
                    case NOT -> !x.dtype().isFloat();
                    case NEGATE, ABS, SIGN -> x.dtype() != DType.BOOL;
                    default -> x.dtype().isFloat();
                };
        operands.defined(fits, x, kind == Op.UnaryKind.NOT ? DType.BOOL : DType.F32);
        return x;
    }

    private ArrayType binary(Op.BinaryKind kind) {
        var x = operands.equal();
        var dtype = x.dtype();
        boolean fits =
                switch (kind) {
                    case AND, OR, XOR -> !dtype.isFloat();
                    case SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL ->
                            dtype.isInteger();
                    case ATAN2 -> dtype.isFloat();
                    case ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM, POWER, REMAINDER ->
                            dtype != DType.BOOL;
                };
        operands.defined(fits, x, kinds(kind));
        return x;
    }

    /// A type that an operation is defined for, to name in its place.
    private static DType kinds(Op.BinaryKind kind) {
        return switch (kind) {
            case AND, OR, XOR -> DType.BOOL;
            case SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL -> DType.I32;
            default -> DType.F32;
        };
    }

    private ArrayType select() {
        operands.arity(3);
        var predicate = operands.get(0);
        var yes = operands.get(1);
        operands.check(
                predicate.dtype() == DType.BOOL,
                "the predicate is %s; compare first, as in x.gt(0)",
                predicate);
        operands.check(
                yes.equals(operands.get(2)) && predicate.shape().equals(yes.shape()),
                "%s, %s and %s do not fit; shapes must be equal and both values of one dtype",
                predicate,
                yes,
                operands.get(2));
        return yes;
    }

    private ArrayType broadcast(Shape shape, List<Integer> dims) {
        var x = operands.one();
        boolean fits =
                dims.size() == x.shape().rank()
                        && Operands.distinct(dims)
                        && dims.stream().allMatch(d -> d >= 0 && d < shape.rank());
        for (int i = 0; fits && i < dims.size(); i++) {
            int size = x.shape().dim(i);
            fits = size == 1 || size == shape.dim(dims.get(i));
        }
        operands.check(fits, "%s does not fit %s; sizes must be equal or 1", x, shape);
        return new ArrayType(x.dtype(), shape);
    }

    private ArrayType reshape(Shape shape) {
        var x = operands.one();
        operands.check(
                x.shape().size() == shape.size(),
                "%s has %d elements, %s needs %d",
                x,
                x.shape().size(),
                shape,
                shape.size());
        return new ArrayType(x.dtype(), shape);
    }

    private ArrayType transpose(List<Integer> permutation) {
        var x = operands.one();
        var sorted = permutation.stream().sorted().toList();
        operands.check(
                sorted.equals(IntStream.range(0, x.shape().rank()).boxed().toList()),
                "%s is no permutation of the %d dimensions of %s",
                permutation,
                x.shape().rank(),
                x);
        return new ArrayType(
                x.dtype(), new Shape(permutation.stream().map(i -> x.shape().dim(i)).toList()));
    }

    private ArrayType reduce(List<Integer> dims) {
        var x = operands.one();
        dims.forEach(dim -> operands.inRange(dim, x));
        operands.check(Operands.distinct(dims), "dimensions %s repeat", dims);
        operands.defined(x.dtype() != DType.BOOL, x, DType.I32);
        return new ArrayType(x.dtype(), new Shape(Operands.without(x.shape(), dims)));
    }

    private ArrayType argMax(int dim) {
        var x = operands.one();
        operands.inRange(dim, x);
        operands.check(x.shape().dim(dim) > 0, "dimension %d of %s is empty", dim, x);
        return new ArrayType(DType.I32, new Shape(Operands.without(x.shape(), List.of(dim))));
    }

    private ArrayType slice(Op.Slice slice) {
        var x = operands.one();
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
        operands.check(
                fits,
                "%s has no part from %s to %s by %s",
                x,
                slice.start(),
                slice.limit(),
                slice.stride());
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType pad(Op.Pad pad) {
        var x = operands.two();
        var value = operands.get(1);
        operands.sameDtype(x, value);
        operands.check(
                value.shape().rank() == 0, "the padding value is %s; it must be a scalar", value);
        int rank = x.shape().rank();
        boolean fits =
                pad.low().size() == rank
                        && pad.high().size() == rank
                        && pad.interior().size() == rank;
        var dims = new ArrayList<Integer>();
        for (int i = 0; fits && i < rank; i++) {
            int inner = ProductTypes.dilated(x.shape().dim(i), pad.interior().get(i) + 1);
            int size = inner + pad.low().get(i) + pad.high().get(i);
            fits = size >= 0 && pad.interior().get(i) >= 0;
            dims.add(Math.max(size, 0));
        }
        operands.check(
                fits,
                "%s cannot take padding low %s, high %s, interior %s",
                x,
                pad.low(),
                pad.high(),
                pad.interior());
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType concatenate(int dim) {
        operands.check(!operands.operands().isEmpty(), "there is nothing to join");
        var first = operands.get(0);
        operands.inRange(dim, first);
        int size = 0;
        for (var other : operands.operands()) {
            operands.sameDtype(first, other);
            boolean fits = other.shape().rank() == first.shape().rank();
            for (int i = 0; fits && i < first.shape().rank(); i++) {
                fits = i == dim || other.shape().dim(i) == first.shape().dim(i);
            }
            operands.check(
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
        operands.inRange(dim, x);
        operands.check(
                indices.dtype().isInteger(),
                "indices are %s; cast them, as in i.cast(DType.I32)",
                indices);
        var dims = new ArrayList<>(x.shape().dims().subList(0, dim));
        dims.addAll(indices.shape().dims());
        dims.addAll(x.shape().dims().subList(dim + 1, x.shape().rank()));
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    private ArrayType scatter(int dim) {
        operands.arity(3);
        var x = operands.get(0);
        var wanted = take(x, dim);
        operands.check(
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
        operands.check(
                whole % size == 0,
                "dimension %d of %s does not divide over axes %s of %d; use a multiple of %d",
                dim,
                operands.get(0),
                axes,
                size,
                size);
        return whole / size;
    }

    private int at(int dim) {
        operands.inRange(dim, operands.one());
        return operands.one().shape().dim(dim);
    }

    private ArrayType resized(int dim, int size) {
        var x = operands.get(0);
        var dims = new ArrayList<>(x.shape().dims());
        dims.set(dim, size);
        return new ArrayType(x.dtype(), new Shape(dims));
    }
}
