package org.meshbook.elastic.array;

import java.util.List;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.PartitionSpec;

/// One typed operation; its meaning is StableHLO's operation of the same name.
///
/// Source: https://openxla.org/stablehlo/spec
public sealed interface Op {
    /// Elementwise functions of one operand.
    enum UnaryKind {
        NEGATE,
        ABS,
        SIGN,
        EXP,
        EXPM1,
        LOG,
        LOG1P,
        SQRT,
        RSQRT,
        TANH,
        LOGISTIC,
        SIN,
        COS,
        FLOOR,
        CEIL,
        /// To the nearest whole number, ties to the even one.
        ROUND_NEAREST_EVEN,
        CBRT,
        /// The error function; CHLO's, which XLA expands.
        ERF,
        /// Of truth values, and of integers bit by bit.
        NOT
    }

    /// Elementwise functions of two operands of one type. Logic works on truth values and, bit by
    /// bit, on integers; shifts by the type's bits or more leave 0, or the sign.
    enum BinaryKind {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        MAXIMUM,
        MINIMUM,
        POWER,
        REMAINDER,
        ATAN2,
        AND,
        OR,
        XOR,
        SHIFT_LEFT,
        SHIFT_RIGHT_ARITHMETIC,
        SHIFT_RIGHT_LOGICAL
    }

    /// Elementwise comparisons; the result is [DType#BOOL].
    enum CompareKind {
        EQ,
        NE,
        LT,
        LE,
        GT,
        GE
    }

    /// Associative reductions.
    enum ReduceKind {
        SUM,
        MAX,
        MIN,
        PRODUCT
    }

    /// What a [Scatter] does with an update and the element that it meets.
    enum ScatterKind {
        SET,
        ADD,
        MULTIPLY,
        MAX,
        MIN
    }

    /// A literal; no operands.
    record Constant(HostArray value) implements Op {}

    /// Counts up along one dimension; no operands.
    record Iota(ArrayType type, int dim) implements Op {}

    record Unary(UnaryKind kind) implements Op {}

    record Binary(BinaryKind kind) implements Op {}

    record Compare(CompareKind kind) implements Op {}

    /// Operands: predicate (same shape, BOOL), on true, on false.
    record Select() implements Op {}

    record Convert(DType dtype) implements Op {}

    /// Operand dimension `i` becomes result dimension `dims[i]`; sizes are equal or 1.
    record BroadcastInDim(Shape shape, List<Integer> dims) implements Op {}

    record Reshape(Shape shape) implements Op {}

    /// Result dimension `i` is operand dimension `permutation[i]`.
    record Transpose(List<Integer> permutation) implements Op {}

    /// Removes the reduced dimensions.
    record Reduce(ReduceKind kind, List<Integer> dims) implements Op {}

    /// Index (I32) of the first greatest element along a dimension, which is removed; NaN counts as
    /// greatest.
    record ArgMax(int dim) implements Op {}

    /// Result dimensions: batch, then free dimensions of the left, then of the right.
    record DotGeneral(
            List<Integer> lhsBatch,
            List<Integer> rhsBatch,
            List<Integer> lhsContract,
            List<Integer> rhsContract)
            implements Op {}

    /// Operands: input `[N, spatial..., C]`, kernel `[spatial..., C, F]`; result `[N, spatial...,
    /// F]`.
    ///
    /// @param strides per spatial dimension
    /// @param low padding before, may be negative
    /// @param high padding after, may be negative
    /// @param inputDilation factor, 1 for none
    /// @param kernelDilation factor, 1 for none
    record Convolution(
            List<Integer> strides,
            List<Integer> low,
            List<Integer> high,
            List<Integer> inputDilation,
            List<Integer> kernelDilation)
            implements Op {}

    record Slice(List<Integer> start, List<Integer> limit, List<Integer> stride) implements Op {}

    /// Operands: array, scalar padding value. `low` and `high` may be negative, `interior` not.
    record Pad(List<Integer> low, List<Integer> high, List<Integer> interior) implements Op {}

    record Concatenate(int dim) implements Op {}

    record Reverse(List<Integer> dims) implements Op {}

    /// Operands: array, indices (integer, any shape). The indexed dimension is replaced by the
    /// indices' dimensions; indices are clamped, as StableHLO's gather does.
    record Take(int dim) implements Op {}

    /// Operands: array, indices, updates shaped like `Take(dim)`'s result. Adds the updates at the
    /// indices; updates whose index is out of bounds are dropped, as StableHLO's scatter does.
    record ScatterAdd(int dim) implements Op {}

    /// Operands: array, then for each dimension an integer scalar, all of one dtype: where the
    /// block of `sizes` starts. Starts are clamped so that the block lies inside.
    record DynamicSlice(List<Integer> sizes) implements Op {}

    /// Operands: array, a block of the same rank and dtype, then for each dimension an integer
    /// scalar, all of one dtype: where the block is written. Starts are clamped so that it lies
    /// inside.
    record DynamicUpdateSlice() implements Op {}

    /// Operands: array, indices. Picks for each index vector the window of `sizes` that starts
    /// there; starts are clamped so that the window lies inside.
    record Gather(IndexMap map, List<Integer> sizes) implements Op {}

    /// Operands: array, indices, updates. Combines the array with a window for each index vector,
    /// in the order of the updates; a window that does not lie inside is dropped.
    record Scatter(ScatterKind kind, IndexMap map) implements Op {}

    /// Indices (I32) that sort a dimension, stable. NaN is the greatest; `-0.0` equals `0.0`.
    record ArgSort(int dim, boolean descending) implements Op {}

    /// Passes the operand through and stops gradients.
    record StopGradient() implements Op {}

    // ---- collectives: appear only in a partitioned, per-device graph, or inside shardMap

    /// Combines the operands of all devices that differ only along `axes`.
    record AllReduce(ReduceKind kind, List<String> axes) implements Op {}

    /// Concatenates along `dim` the operands of the `size` devices along `axes`.
    record AllGather(List<String> axes, int dim, int size) implements Op {}

    /// Sums over `axes`, and leaves each of the `size` devices its piece of `dim`.
    record ReduceScatter(List<String> axes, int dim, int size) implements Op {}

    /// This device's piece of `dim` of a value that is equal on all `size` devices along `axes`; no
    /// communication.
    record ShardOf(List<String> axes, int dim, int size) implements Op {}

    /// This device's coordinate along an axis (scalar I32); no operands.
    record AxisIndex(String axis) implements Op {}

    /// Cuts `splitDim` into one piece a device along `axis`, sends each device its piece, and
    /// concatenates what comes along `concatDim`.
    record AllToAll(String axis, int splitDim, int concatDim, int size) implements Op {}

    /// The device at `sources[i]` along `axis` sends its operand to the one at `targets[i]`; who
    /// gets nothing has zeros.
    record CollectivePermute(String axis, List<Integer> sources, List<Integer> targets)
            implements Op {}

    // ---- how values are cut; a partitioner obeys and removes them

    /// Passes the operand through and asks for it to be cut so.
    record ShardingConstraint(PartitionSpec spec) implements Op {}

    /// From a whole array to the piece that each device of a mesh holds: the way into `shardMap`.
    ///
    /// @param mesh axes of the mesh that the function is written for
    record FullToShard(List<Axis> mesh, PartitionSpec spec) implements Op {}

    /// From the pieces that the devices of a mesh hold to the whole: the way out of `shardMap`.
    record ShardToFull(List<Axis> mesh, PartitionSpec spec) implements Op {}

    /// Whether the operation talks to other devices or depends on the device's place.
    ///
    /// @return true for the operations that a worker runs itself, outside an engine
    default boolean isCollective() {
        return switch (this) {
            case AllReduce _,
                    AllGather _,
                    ReduceScatter _,
                    ShardOf _,
                    AxisIndex _,
                    AllToAll _,
                    CollectivePermute _ ->
                    true;
            default -> false;
        };
    }

    /// @param operands the operands' types
    /// @return the result's type
    /// @throws org.meshbook.elastic.MeshMismatch if the operands do not fit; names the operation
    ///   and both shapes
    default ArrayType infer(List<ArrayType> operands) {
        return Inference.of(this, operands);
    }

    // ---- operations that hold functions; their value is their first result, Result names the rest

    /// A function that an operation holds, as the operation sees it: `graph.Graph` is the only one.
    interface Body {
        /// @return types of what it takes
        List<ArrayType> parameters();

        /// @return types of what it yields
        List<ArrayType> resultTypes();
    }

    /// Operands: predicate (BOOL scalar), then what both functions take. Yields what one of them
    /// does.
    record Cond(Body onTrue, Body onFalse) implements Op {
        @Override
        public String toString() {
            return "cond";
        }
    }

    /// Operands: `consts` constants, then the carry. Both functions take them all; `cond` yields a
    /// BOOL scalar, `body` the next carry.
    record While(Body cond, Body body, int consts) implements Op {
        @Override
        public String toString() {
            return "while consts=" + consts;
        }
    }

    /// Operands: `consts` constants, `carries` arrays of the carry, then arrays whose first
    /// dimension is `length`. The body takes the constants, the carry, and one element of each
    /// array; it yields the next carry, then what is stacked along a first dimension. `reverse`
    /// goes from the last element to the first, and stacks so too.
    record Scan(Body body, int length, int consts, int carries, boolean reverse) implements Op {
        @Override
        public String toString() {
            return "scan length=%d consts=%d carries=%d reverse=%b"
                    .formatted(length, consts, carries, reverse);
        }
    }

    /// Operands: the body's. Its derivative computes the body again and keeps nothing but operands.
    /// Inlined before an engine sees the graph.
    record Remat(Body body) implements Op {
        @Override
        public String toString() {
            return "remat";
        }
    }

    /// Operands: the body's. `forward` takes them, too, and yields the results, then residuals;
    /// `backward` takes the residuals and one cotangent a result, and yields one cotangent for each
    /// operand after the first `consts`. Inlined before an engine sees the graph.
    record CustomVjp(Body body, Body forward, Body backward, int consts) implements Op {
        @Override
        public String toString() {
            return "custom_vjp consts=" + consts;
        }
    }

    /// Operand: an operation that holds functions. Its result number `index`, from 1.
    record Result(int index, ArrayType type) implements Op {}

    /// Operands: a value, then others. Yields the value, computed not before the others are there.
    record OptimizationBarrier() implements Op {}

    /// @return the functions that the operation holds
    default List<Body> bodies() {
        return switch (this) {
            case Cond(var onTrue, var onFalse) -> List.of(onTrue, onFalse);
            case While(var cond, var body, _) -> List.of(cond, body);
            case Scan scan -> List.of(scan.body());
            case Remat(var body) -> List.of(body);
            case CustomVjp(var body, var forward, var backward, _) ->
                    List.of(body, forward, backward);
            default -> List.of();
        };
    }

    /// @param operands the operands' types
    /// @return types of all results
    /// @throws org.meshbook.elastic.MeshMismatch if the operands do not fit
    default List<ArrayType> inferAll(List<ArrayType> operands) {
        return bodies().isEmpty()
                ? List.of(infer(operands))
                : FlowTypes.of(this, new Operands(this, operands));
    }
}
