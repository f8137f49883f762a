package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.meshbook.elastic.array.Op.ReduceKind;

/// Reductions of windows that move over an array.
///
/// The gradient of a greatest or smallest element goes to the first of equals in a window, as XLA's
/// select-and-scatter does.
public sealed interface Windows permits Array {
    private Array self() {
        return (Array) this;
    }

    /// Reduces each window: StableHLO's `reduce_window`, without dilation.
    ///
    /// Works on one dimension after the other, so that a window of 3 by 3 costs 3 and 3 steps.
    ///
    /// @param kind how elements come together; padding leaves the result as it is
    /// @param window size in each dimension, 1 to leave it alone
    /// @param strides step in each dimension
    /// @param low added before each dimension
    /// @param high added after each dimension
    /// @return one element a window
    default Array reduceWindow(
            ReduceKind kind,
            List<Integer> window,
            List<Integer> strides,
            List<Integer> low,
            List<Integer> high) {
        int rank = self().type().shape().rank();
        var x = self();
        require(
                x.type().dtype() != DType.BOOL,
                "reduceWindow: is not defined for %s; cast it, as in x.cast(DType.I32)",
                x.type());
        require(
                List.of(window.size(), strides.size(), low.size(), high.size())
                                .equals(Collections.nCopies(4, rank))
                        && window.stream().allMatch(n -> n >= 1)
                        && strides.stream().allMatch(n -> n >= 1),
                "reduceWindow: window %s, strides %s and padding %s, %s do not fit %s; give one of"
                        + " each a dimension, sizes and strides of at least 1",
                window,
                strides,
                low,
                high,
                x.type());
        if (low.stream().anyMatch(n -> n != 0) || high.stream().anyMatch(n -> n != 0)) {
            x = x.pad(low, high, identity(kind, x.type().dtype()));
        }
        // The innermost first: the first of equals is the first in row-major order.
        for (int d = rank - 1; d >= 0; d--) {
            x = along(x, kind, d, window.get(d), strides.get(d));
        }
        return x;
    }

    /// Combines, tap by tap, the elements that lie at one place of all windows.
    private static Array along(Array x, ReduceKind kind, int dim, int window, int stride) {
        if (window == 1 && stride == 1) {
            return x;
        }
        var shape = x.type().shape();
        int count = Math.max(0, Math.floorDiv(shape.dim(dim) - window, stride) + 1);
        var strides = new ArrayList<>(Collections.nCopies(shape.rank(), 1));
        strides.set(dim, stride);
        var all = new ArrayList<Array>();
        for (int tap = 0; tap < window; tap++) {
            var start = new ArrayList<>(Collections.nCopies(shape.rank(), 0));
            var limit = new ArrayList<>(shape.dims());
            start.set(dim, count == 0 ? 0 : tap);
            limit.set(dim, count == 0 ? 0 : tap + (count - 1) * stride + 1);
            all.add(x.slice(start, limit, strides));
        }
        return all.stream().reduce((a, b) -> combined(kind, a, b)).orElseThrow();
    }

    private static Array combined(ReduceKind kind, Array first, Array second) {
        return switch (kind) {
            case SUM -> first.add(second);
            case PRODUCT -> first.mul(second);
            case MAX -> kept(first, first.ge(second)).select(first, second);
            case MIN -> kept(first, first.le(second)).select(first, second);
        };
    }

    /// Of equals, and of NaNs, the first stays.
    private static Array kept(Array first, Array wins) {
        return first.type().dtype().isFloat() ? wins.or(first.ne(first)) : wins;
    }

    private static double identity(ReduceKind kind, DType dtype) {
        return switch (kind) {
            case SUM -> 0;
            case PRODUCT -> 1;
            case MAX -> dtype.isFloat() ? Double.NEGATIVE_INFINITY : dtype.least();
            case MIN -> dtype.isFloat() ? Double.POSITIVE_INFINITY : dtype.greatest();
        };
    }

    /// Takes the greatest of windows of `size` by `size` pixels that do not overlap; rows and
    /// columns that fill no window are dropped.
    ///
    /// @param size edge of the window, also the step
    /// @return `[N, H / size, W / size, C]` of this `[N, H, W, C]`
    default Array maxPool(int size) {
        return maxPool(size, size, "VALID");
    }

    /// Takes the greatest of windows of `size` by `size` pixels.
    ///
    /// @param size edge of the window
    /// @param stride step in both directions
    /// @param padding `"SAME"`: windows may reach out, so that the result is `ceil(H / stride)`
    ///   high; `"VALID"`: they may not
    /// @return `[N, H', W', C]` of this `[N, H, W, C]`
    default Array maxPool(int size, int stride, String padding) {
        return pool("maxPool", ReduceKind.MAX, size, stride, padding);
    }

    /// Averages windows of `size` by `size` pixels that do not overlap; rows and columns that fill
    /// no window are dropped.
    ///
    /// @param size edge of the window, also the step
    /// @return `[N, H / size, W / size, C]` of this `[N, H, W, C]`
    default Array avgPool(int size) {
        return avgPool(size, size, "VALID");
    }

    /// Averages windows of `size` by `size` pixels; what lies outside counts as 0, as in Flax.
    ///
    /// @param size edge of the window
    /// @param stride step in both directions
    /// @param padding `"SAME"`: windows may reach out, so that the result is `ceil(H / stride)`
    ///   high; `"VALID"`: they may not
    /// @return `[N, H', W', C]` of this `[N, H, W, C]`
    default Array avgPool(int size, int stride, String padding) {
        return pool("avgPool", ReduceKind.SUM, size, stride, padding).div((double) size * size);
    }

    private Array pool(String asked, ReduceKind kind, int size, int stride, String padding) {
        var shape = self().type().shape();
        require(
                shape.rank() == 4 && size >= 1,
                "%s: takes [N,H,W,C] and a window of at least 1, got %s and %d",
                asked,
                self().type(),
                size);
        var rows = Padding.of(asked, padding, shape.dim(1), size, stride);
        var columns = Padding.of(asked, padding, shape.dim(2), size, stride);
        return reduceWindow(
                kind,
                List.of(1, size, size, 1),
                List.of(1, stride, stride, 1),
                List.of(0, rows.low(), columns.low(), 0),
                List.of(0, rows.high(), columns.high(), 0));
    }
}
