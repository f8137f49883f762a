package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// Transposes of collectives.
///
/// An operand is taken to differ from device to device along the axes that the operation names;
/// where it does not, [Cotangents] adds up. So the transpose of a sum over devices hands each of
/// them the cotangent as it is. Source: JAX's rules for values with varying manual axes.
final class CollectiveVjp {
    private final Array x;
    private final Array out;
    private final Array ct;

    CollectiveVjp(Array x, Array out, Array ct) {
        this.x = x;
        this.out = out;
        this.ct = ct;
    }

    /// @return the cotangent of the only operand
    Array of(Op op) {
        return switch (op) {
            case Op.AllReduce(var kind, var axes) -> allReduce(kind, axes);
            case Op.AllGather(var axes, int dim, int size) ->
                    apply(new Op.ShardOf(axes, dim, size), ct);
            case Op.ReduceScatter(var axes, int dim, int size) ->
                    apply(new Op.AllGather(axes, dim, size), ct);
            case Op.ShardOf(var axes, int dim, int size) -> unshard(axes, dim, size);
            case Op.AllToAll(var axis, int split, int concat, int size) ->
                    apply(new Op.AllToAll(axis, concat, split, size), ct);
            case Op.CollectivePermute(var axis, var sources, var targets) ->
                    apply(new Op.CollectivePermute(axis, targets, sources), ct);
            case Op.ShardingConstraint constraint -> apply(constraint, ct);
            case Op.FullToShard(var mesh, var spec) -> apply(new Op.ShardToFull(mesh, spec), ct);
            case Op.ShardToFull(var mesh, var spec) -> apply(new Op.FullToShard(mesh, spec), ct);
            default -> throw new IllegalArgumentException(op + " has its rule elsewhere");
        };
    }

    private Array allReduce(Op.ReduceKind kind, List<String> axes) {
        return switch (kind) {
            case SUM -> ct;
            case MAX, MIN -> {
                var ties = x.eq(out).cast(x.dtype());
                var count = apply(new Op.AllReduce(Op.ReduceKind.SUM, axes), ties);
                yield ct.mul(ties).div(count);
            }
            case PRODUCT ->
                    throw new UsageError(
                            "a product over devices %s has no gradient here; sum logarithms", axes);
        };
    }

    /// The cotangent of this device's piece, zeros in the others.
    private Array unshard(List<String> axes, int dim, int size) {
        UsageError.require(
                axes.size() == 1, "a shard over %s has no gradient here; use one axis", axes);
        var shape = ct.shape();
        var piece = ct.apply(new Op.AxisIndex(axes.getFirst()), List.of());
        var cut = new ArrayList<>(shape.dims());
        cut.add(dim, size);
        var kept = IntStream.range(0, shape.rank()).map(i -> i < dim ? i : i + 1).boxed().toList();
        var spread = apply(new Op.BroadcastInDim(new Shape(cut), kept), ct);
        var number =
                ct.apply(new Op.Iota(new ArrayType(DType.I32, new Shape(cut)), dim), List.of());
        HostArray zero = Array.full(ct.dtype(), 0);
        var zeros = ct.apply(new Op.BroadcastInDim(new Shape(cut), List.of()), List.of(zero));
        return apply(new Op.Reshape(x.shape()), number.eq(piece).select(spread, zeros));
    }

    private static Array apply(Op op, Array operand) {
        return Vjp.apply(op, operand);
    }
}
