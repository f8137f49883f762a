package org.meshbook.elastic.array;

import java.util.List;
import org.meshbook.elastic.array.Op.ReduceKind;

/// Operations that take dimensions away, or look along one.
///
/// Axes count from 0, or from the end from -1; no axis means all of them. Methods named `KeepDims`
/// leave reduced dimensions with size 1, so that the result broadcasts against the operand.
public sealed interface Reducing permits Array {
    private Array self() {
        return (Array) this;
    }

    private Array reduce(ReduceKind kind, int... axes) {
        return Apply.op(new Op.Reduce(kind, Apply.axes(self(), axes)), self());
    }

    private Array kept(Array reduced, int... axes) {
        var dims = self().type().shape().toArray();
        for (int axis : Apply.axes(self(), axes)) {
            dims[axis] = 1;
        }
        return reduced.reshape(dims);
    }

    default Array sum(int... axes) {
        return reduce(ReduceKind.SUM, axes);
    }

    default Array sumKeepDims(int... axes) {
        return kept(sum(axes), axes);
    }

    default Array max(int... axes) {
        return reduce(ReduceKind.MAX, axes);
    }

    default Array maxKeepDims(int... axes) {
        return kept(max(axes), axes);
    }

    default Array min(int... axes) {
        return reduce(ReduceKind.MIN, axes);
    }

    default Array minKeepDims(int... axes) {
        return kept(min(axes), axes);
    }

    default Array prod(int... axes) {
        return reduce(ReduceKind.PRODUCT, axes);
    }

    /// @param axes to average over
    /// @return the mean; over all devices if the array is sharded. Of integers it is F32; of BF16
    ///   and F16 it is summed up and divided in F32
    default Array mean(int... axes) {
        var dtype = self().dtype();
        if (dtype == DType.BF16 || dtype == DType.F16) {
            return self().cast(DType.F32).mean(axes).cast(dtype);
        }
        long count = 1;
        for (int axis : Apply.axes(self(), axes)) {
            count *= self().type().shape().dim(axis);
        }
        return Promotion.floating(self()).sum(axes).div((double) count);
    }

    default Array meanKeepDims(int... axes) {
        return kept(mean(axes), axes);
    }

    /// @param axes to look over
    /// @return the population variance
    default Array variance(int... axes) {
        return self().sub(meanKeepDims(axes)).square().mean(axes);
    }

    /// @param axes to look over
    /// @return whether any element is true (or not 0)
    default Array any(int... axes) {
        return self().cast(DType.I32).ne(0).cast(DType.I32).max(axes).ne(0);
    }

    /// @param axes to look over
    /// @return whether all elements are true (or not 0)
    default Array all(int... axes) {
        return self().cast(DType.I32).ne(0).cast(DType.I32).min(axes).ne(0);
    }

    /// @param axis where to look
    /// @return I32 index of the first greatest element along the axis
    default Array argmax(int axis) {
        return Apply.op(new Op.ArgMax(Apply.axis(self(), axis)), self());
    }

    /// @param axis where the probabilities sum to 1
    /// @return `exp(x) / sum(exp(x))`, computed without overflow
    default Array softmax(int axis) {
        var e = shifted(axis).exp();
        return e.div(e.sumKeepDims(axis));
    }

    /// @param axis where the probabilities sum to 1
    /// @return the logarithm of [#softmax], computed without overflow
    default Array logSoftmax(int axis) {
        var x = shifted(axis);
        return x.sub(x.exp().sumKeepDims(axis).log());
    }

    /// @param axes to sum over
    /// @return `log(sum(exp(x)))`, computed without overflow
    default Array logSumExp(int... axes) {
        var top = maxKeepDims(axes).stopGradient();
        var sum = self().sub(top).exp().sum(axes).log();
        return sum.add(Apply.op(new Op.Reshape(sum.type().shape()), top));
    }

    private Array shifted(int axis) {
        return self().sub(maxKeepDims(axis).stopGradient());
    }

    /// Averages windows of `size` by `size` pixels that do not overlap; rows and columns that fill
    /// no window are dropped.
    ///
    /// @param size edge of the window, also the step
    /// @return `[N, H / size, W / size, C]` of this `[N, H, W, C]`
    default Array avgPool(int size) {
        return windows(size).mean(2, 4);
    }

    /// Takes the greatest of windows of `size` by `size` pixels that do not overlap; rows and
    /// columns that fill no window are dropped.
    ///
    /// @param size edge of the window, also the step
    /// @return `[N, H / size, W / size, C]` of this `[N, H, W, C]`
    default Array maxPool(int size) {
        return windows(size).max(2, 4);
    }

    private Array windows(int size) {
        var shape = self().type().shape();
        org.meshbook.elastic.UsageError.require(
                shape.rank() == 4 && size >= 1,
                "pooling takes [N,H,W,C] and a window of at least 1, got %s and %d",
                self().type(),
                size);
        int h = shape.dim(1) / size;
        int w = shape.dim(2) / size;
        var whole =
                self().slice(
                                List.of(0, 0, 0, 0),
                                List.of(shape.dim(0), h * size, w * size, shape.dim(3)));
        return whole.reshape(shape.dim(0), h, size, w, size, shape.dim(3));
    }
}
