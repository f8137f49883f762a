package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

/// Operations that order elements along an axis.
///
/// NaN is the greatest, as in NumPy and JAX: last in ascending order, first in descending. Equal
/// elements keep their order (`-0.0` equals `0.0`). Gradients flow to the elements that were
/// picked. Axes count from 0, or from the end from -1.
public sealed interface Sorting permits Array {
    private Array self() {
        return (Array) this;
    }

    private Array order(int axis, boolean descending) {
        return Apply.op(new Op.ArgSort(Apply.axis(self(), axis), descending), self());
    }

    /// @param axis where to sort
    /// @return the elements in ascending order
    default Array sort(int axis) {
        return self().takeAlongAxis(argsort(axis), axis);
    }

    /// @param axis where to sort
    /// @return the elements in descending order
    default Array sortDescending(int axis) {
        return self().takeAlongAxis(argsortDescending(axis), axis);
    }

    /// @param axis where to sort
    /// @return I32 indices of the elements in ascending order
    default Array argsort(int axis) {
        return order(axis, false);
    }

    /// @param axis where to sort
    /// @return I32 indices of the elements in descending order, equals in the order in which they
    ///   stand
    default Array argsortDescending(int axis) {
        return order(axis, true);
    }

    /// @param k how many
    /// @return the `k` greatest along the last axis
    default TopK topK(int k) {
        var x = self();
        int rank = x.type().shape().rank();
        require(rank > 0, "topK: %s has no axis to look along", x.type());
        int size = x.type().shape().dim(-1);
        require(k >= 0 && k <= size, "topK: %d of %s; use 0 to %d", k, x.type(), size);
        var indices = argsortDescending(-1).slice(-1, 0, k);
        return new TopK(x.takeAlongAxis(indices, -1), indices);
    }

    /// @param axis where to look
    /// @return the middle element, or the mean of the two in the middle; NaN if there is one
    /// @throws org.meshbook.elastic.UsageError if the dtype is no float
    default Array median(int axis) {
        var x = self();
        int at = Apply.axis(x, axis);
        int size = x.type().shape().dim(at);
        require(
                x.type().dtype().isFloat(),
                "median: is not defined for %s; cast it, as in x.cast(DType.F32)",
                x.type());
        require(size > 0, "median: dimension %d of %s is empty", at, x.type());
        var sorted = sort(at);
        var middle = sorted.slice(at, (size - 1) / 2, size / 2 + 1).mean(at);
        // NaN sorts last, so that it need not lie in the middle.
        var last = sorted.slice(at, size - 1, size).squeeze(at);
        return last.ne(last).select(last, middle);
    }

    /// @param axis where to look
    /// @return I32 index of the first smallest element along the axis; NaN counts as smallest
    default Array argmin(int axis) {
        var x = self();
        var y = x.type().dtype() == DType.BOOL ? x.cast(DType.I32) : x;
        var smallest = y.eq(y.minKeepDims(axis));
        var hit = y.type().dtype().isFloat() ? smallest.or(y.ne(y)) : smallest;
        return hit.cast(DType.I32).argmax(axis);
    }
}
