package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// The way of every operation: promote, broadcast, check, then ask the operand of the highest
/// precedence.
final class Apply {
    private Apply() {}

    static Array op(Op op, Array... operands) {
        var promoted = Promotion.of(op, operands);
        return on(lead(promoted), op, promoted);
    }

    /// Asks `lead`, which may stand above all operands: a host scalar that meets a traced array is
    /// broadcast inside the trace.
    private static Array on(Array lead, Op op, Array... operands) {
        var list = List.of(operands);
        op.infer(list.stream().map(Array::type).toList());
        return lead.apply(op, list);
    }

    private static Array lead(Array... operands) {
        return Arrays.stream(operands)
                .max(Comparator.comparingInt(Array::precedence))
                .orElseThrow();
    }

    /// An elementwise operation of operands that are broadcast to their common shape, as in NumPy.
    static Array elementwise(Op op, Array... given) {
        var operands = Promotion.of(op, given);
        var shape = operands[0].type().shape();
        for (int i = 1; i < operands.length; i++) {
            shape = common(Operands.word(op), shape, operands, i);
        }
        var lead = lead(operands);
        var whole = new Array[operands.length];
        for (int i = 0; i < operands.length; i++) {
            whole[i] = broadcast(lead, operands[i], shape);
        }
        return on(lead, op, whole);
    }

    /// The shape that all arrays broadcast to.
    static Shape common(String asked, List<Array> arrays) {
        var all = arrays.toArray(Array[]::new);
        var shape = all[0].type().shape();
        for (int i = 1; i < all.length; i++) {
            shape = common(asked, shape, all, i);
        }
        return shape;
    }

    private static Shape common(String asked, Shape left, Array[] operands, int i) {
        var right = operands[i].type().shape();
        int rank = Math.max(left.rank(), right.rank());
        var dims = new ArrayList<Integer>();
        for (int d = -rank; d < 0; d++) {
            int a = -d > left.rank() ? 1 : left.dim(d);
            int b = -d > right.rank() ? 1 : right.dim(d);
            if (a != b && a != 1 && b != 1) {
                throw new MeshMismatch(
                        "%s: %s and %s do not broadcast; sizes from the right must be equal or 1",
                        asked, operands[0].type(), operands[i].type());
            }
            dims.add(a == 1 ? b : a);
        }
        return new Shape(dims);
    }

    /// Trailing dimensions are aligned; missing leading ones are added.
    static Array broadcast(Array lead, Array x, Shape shape) {
        if (x.type().shape().equals(shape)) {
            return x;
        }
        int added = shape.rank() - x.type().shape().rank();
        var dims = IntStream.range(added, shape.rank()).boxed().toList();
        return on(lead, new Op.BroadcastInDim(shape, dims), x);
    }

    static Array broadcast(Array x, Shape shape) {
        return broadcast(x, x, shape);
    }

    /// A Java number as a scalar to meet the array, by the rules of [Promotion].
    static Array scalarLike(Array like, double value) {
        return Promotion.scalar(like.type(), value);
    }

    /// Dimensions counted from the front, each once; none given means all.
    static List<Integer> axes(Array x, int... axes) {
        int rank = x.type().shape().rank();
        if (axes.length == 0) {
            return IntStream.range(0, rank).boxed().toList();
        }
        return Arrays.stream(axes).map(axis -> axis(x, axis, rank)).boxed().toList();
    }

    static int axis(Array x, int axis) {
        return axis(x, axis, x.type().shape().rank());
    }

    static int axis(Array x, int axis, int rank) {
        UsageError.require(
                axis >= -rank && axis < rank,
                "axis %d is not one of the %d of %s; count from 0, or from the end from -1",
                axis,
                rank,
                x.type());
        return axis < 0 ? axis + rank : axis;
    }
}
