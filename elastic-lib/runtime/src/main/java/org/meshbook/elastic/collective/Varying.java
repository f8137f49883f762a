package org.meshbook.elastic.collective;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.array.Op;

/// Along which axes of a mesh a value differs from device to device.
///
/// A value that no device-dependent value went into is equal everywhere; a sum over an axis is
/// equal along it again. Gradients need to know: what a value that is equal on all devices gets
/// back from values that differ is added up over them. Source: JAX's varying manual axes,
/// https://docs.jax.dev/en/latest/notebooks/shard_map.html
public final class Varying {
    private Varying() {}

    /// The axes along which the operands of an operation are taken to differ.
    ///
    /// @param op the operation
    /// @param operands axes of each operand
    /// @return their union, and the axes that the operation itself speaks of
    public static Set<String> operands(Op op, List<Set<String>> operands) {
        var all = new TreeSet<String>();
        operands.forEach(all::addAll);
        switch (op) {
            case Op.AllReduce(_, var axes) -> all.addAll(axes);
            case Op.AllGather(var axes, _, _) -> all.addAll(axes);
            case Op.ReduceScatter(var axes, _, _) -> all.addAll(axes);
            case Op.ShardOf(var axes, _, _) -> all.addAll(axes);
            case Op.AxisIndex(var axis) -> all.add(axis);
            case Op.AllToAll(var axis, _, _, _) -> all.add(axis);
            case Op.CollectivePermute(var axis, _, _) -> all.add(axis);
            case Op.ShardToFull(_, var spec) -> all.addAll(spec.axes());
            default -> {
                // All others work on each device's own operands.
            }
        }
        return all;
    }

    /// The axes along which the result of an operation differs.
    ///
    /// @param op the operation
    /// @param operands axes of each operand
    /// @return axes of the result
    public static Set<String> result(Op op, List<Set<String>> operands) {
        return switch (op) {
            case Op.AllReduce(_, var axes) -> without(operands(op, operands), axes);
            case Op.AllGather(var axes, _, _) -> without(operands(op, operands), axes);
            case Op.FullToShard(_, var spec) -> new TreeSet<>(spec.axes());
            case Op.ShardToFull _ -> Set.of();
            default -> operands(op, operands);
        };
    }

    /// @param axes some axes
    /// @param others others
    /// @return those of the first that are not among the others, sorted
    public static Set<String> without(Collection<String> axes, Collection<String> others) {
        var left = new TreeSet<>(axes);
        left.removeAll(others);
        return left;
    }
}
