package org.meshbook.elastic.engine.reference;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;

/// One operation on host arrays; the result never shares memory with an operand.
final class Interpreter {
    private Interpreter() {}

    static HostArray evaluate(Op op, List<HostArray> operands, ArrayType type) {
        var in = operands.stream().map(Elements::of).toList();
        var out = Elements.zeros(type);
        switch (op) {
            case Op.Constant(var value) -> Movement.copy(Elements.of(value), out);
            case Op.Iota(_, var dim) -> Movement.iota(dim, out);
            case Op.Unary(var kind) -> Elementwise.unary(kind, in.get(0), out);
            case Op.Binary(var kind) -> Elementwise.binary(kind, in.get(0), in.get(1), out);
            case Op.Compare(var kind) -> Elementwise.compare(kind, in.get(0), in.get(1), out);
            case Op.Select() -> Elementwise.select(in.get(0), in.get(1), in.get(2), out);
            case Op.Convert(_) -> Elementwise.convert(in.get(0), out);
            case Op.BroadcastInDim(_, var dims) -> Movement.broadcast(dims, in.get(0), out);
            case Op.Reshape(_), Op.StopGradient(), Op.ShardingConstraint(_) ->
                    Movement.copy(in.get(0), out);
            case Op.Transpose(var permutation) -> Movement.transpose(permutation, in.get(0), out);
            case Op.Reduce(var kind, var dims) -> Reduction.reduce(kind, dims, in.get(0), out);
            case Op.ArgMax(var dim) -> Reduction.argMax(dim, in.get(0), out);
            case Op.DotGeneral dot -> Contraction.dot(dot, in.get(0), in.get(1), out);
            case Op.Convolution conv -> Contraction.convolve(conv, in.get(0), in.get(1), out);
            case Op.Slice slice -> Movement.slice(slice, in.get(0), out);
            case Op.Pad pad -> Movement.pad(pad, in.get(0), in.get(1), out);
            case Op.Concatenate(var dim) -> Movement.concatenate(dim, in, out);
            case Op.Reverse(var dims) -> Movement.reverse(dims, in.get(0), out);
            case Op.Take(var dim) -> Indexing.take(dim, in.get(0), in.get(1), out);
            case Op.ScatterAdd(var dim) ->
                    Indexing.scatterAdd(dim, in.get(0), in.get(1), in.get(2), out);
            case Op.DynamicSlice _ -> Windows.dynamicSlice(in, out);
            case Op.DynamicUpdateSlice _ -> Windows.dynamicUpdate(in, out);
            case Op.Gather gather -> Windows.gather(gather, in.get(0), in.get(1), out);
            case Op.Scatter scatter ->
                    Windows.scatter(scatter, in.get(0), in.get(1), in.get(2), out);
            case Op.ArgSort sort -> Windows.argSort(sort, in.get(0), out);
            case Op.OptimizationBarrier() -> Movement.copy(in.get(0), out);
            case Op.Cond _, Op.While _, Op.Scan _, Op.Remat _, Op.CustomVjp _, Op.Result _ ->
                    throw new IllegalStateException(op + " is run by FlowRun");
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
                            "%s has no meaning on one device; use it under jit over a mesh", op);
        }
        return out.array();
    }
}
