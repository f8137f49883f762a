package org.meshbook.elastic.array;

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

    /// @param ddof what is taken off the number of elements: 1 for the variance of a sample
    /// @param axes to look over
    /// @return the sum of squared distances from the mean, by the number of elements less `ddof`
    default Array varianceDdof(int ddof, int... axes) {
        double count = 1;
        for (int axis : Apply.axes(self(), axes)) {
            count *= self().type().shape().dim(axis);
        }
        var sum = self().sub(meanKeepDims(axes)).square().sum(axes);
        return sum.div(Math.max(0, count - ddof));
    }

    /// @param axes to look over
    /// @return the root of the population variance
    default Array std(int... axes) {
        return variance(axes).sqrt();
    }

    /// @param ddof what is taken off the number of elements
    /// @param axes to look over
    /// @return the root of [#varianceDdof]
    default Array stdDdof(int ddof, int... axes) {
        return varianceDdof(ddof, axes).sqrt();
    }

    /// @param axes to sum over
    /// @return the root of the sum of squares: the length of vectors
    default Array norm(int... axes) {
        return self().square().sum(axes).sqrt();
    }

    /// @param axes to look over
    /// @return whether any element is true (or not 0)
    default Array any(int... axes) {
        return truth().cast(DType.I32).max(axes).gt(0);
    }

    /// @param axes to look over
    /// @return whether all elements are true (or not 0)
    default Array all(int... axes) {
        return truth().cast(DType.I32).min(axes).gt(0);
    }

    private Array truth() {
        return self().type().dtype() == DType.BOOL ? self() : self().ne(0);
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
        var most = maxKeepDims(axes).stopGradient();
        // Infinities are left in place: their distance from themselves is no number.
        var top = most.abs().lt(Double.POSITIVE_INFINITY).select(most, Apply.scalarLike(most, 0));
        var sum = self().sub(top).exp().sum(axes).log();
        return sum.add(Apply.op(new Op.Reshape(sum.type().shape()), top));
    }

    private Array shifted(int axis) {
        return self().sub(maxKeepDims(axis).stopGradient());
    }
}
