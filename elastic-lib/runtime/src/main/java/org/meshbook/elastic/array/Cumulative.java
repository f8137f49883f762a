package org.meshbook.elastic.array;

import java.util.function.BinaryOperator;

/// What has come together so far, along an axis.
///
/// Each takes about `log2(n)` steps over the whole array. Methods named `Reverse` begin at the end.
/// Axes count from 0, or from the end from -1.
public sealed interface Cumulative permits Array {
    private Array self() {
        return (Array) this;
    }

    /// Source: W. D. Hillis and G. L. Steele, Data parallel algorithms, 1986.
    private Array scanned(int axis, BinaryOperator<Array> combine) {
        var x = self();
        int at = Apply.axis(x, axis);
        int size = x.type().shape().dim(at);
        for (int step = 1; step < size; step *= 2) {
            var earlier = x.slice(at, 0, size - step);
            var later = combine.apply(earlier, x.slice(at, step, size));
            x = Array.concat(at, x.slice(at, 0, step), later);
        }
        return x;
    }

    private Array numbers() {
        return self().type().dtype() == DType.BOOL ? self().cast(DType.I32) : self();
    }

    /// @param axis along which to add up
    /// @return for each element the sum up to it; truth counts as I32
    default Array cumsum(int axis) {
        return ((Cumulative) numbers()).scanned(axis, Array::add);
    }

    /// @param axis along which to add up, from its end
    /// @return for each element the sum from it on
    default Array cumsumReverse(int axis) {
        return self().reverse(axis).cumsum(axis).reverse(axis);
    }

    /// @param axis along which to multiply
    /// @return for each element the product up to it; truth counts as I32
    default Array cumprod(int axis) {
        return ((Cumulative) numbers()).scanned(axis, Array::mul);
    }

    /// @param axis along which to multiply, from its end
    /// @return for each element the product from it on
    default Array cumprodReverse(int axis) {
        return self().reverse(axis).cumprod(axis).reverse(axis);
    }

    /// @param axis where to look
    /// @return for each element the greatest up to it; NaN from the first one on
    default Array cummax(int axis) {
        return scanned(axis, Array::maximum);
    }

    /// @param axis where to look, from its end
    /// @return for each element the greatest from it on
    default Array cummaxReverse(int axis) {
        return self().reverse(axis).cummax(axis).reverse(axis);
    }

    /// @param axis where to look
    /// @return for each element the smallest up to it; NaN from the first one on
    default Array cummin(int axis) {
        return scanned(axis, Array::minimum);
    }

    /// @param axis where to look, from its end
    /// @return for each element the smallest from it on
    default Array cumminReverse(int axis) {
        return self().reverse(axis).cummin(axis).reverse(axis);
    }
}
