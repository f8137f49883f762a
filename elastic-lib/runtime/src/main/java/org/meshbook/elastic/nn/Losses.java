package org.meshbook.elastic.nn;

import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// What is made small.
public final class Losses {
    private Losses() {}

    /// The negative logarithm of the probability that logits give to the right class; computed
    /// without overflow.
    ///
    /// @param logits `[..., classes]`
    /// @param labels integers `[...]`, 0 to `classes - 1`; one outside has a loss of 0
    /// @return `[...]`, one number an example, to be averaged by `mean()`
    /// @throws MeshMismatch if the shapes do not fit; names both types
    public static Array crossEntropy(Array logits, Array labels) {
        UsageError.require(
                labels.dtype().isInteger(),
                "cross entropy: labels are %s; give integers, as by argmax of one-hot rows",
                labels.type());
        var classes = logits.shape();
        boolean fits =
                classes.rank() == labels.shape().rank() + 1
                        && classes.dims()
                                .subList(0, classes.rank() - 1)
                                .equals(labels.shape().dims());
        if (!fits) {
            throw new MeshMismatch(
                    "cross entropy: logits %s and labels %s do not fit; labels have one dimension"
                            + " less, which is the last of the logits",
                    logits.type(), labels.type());
        }
        var right = labels.oneHot(classes.dim(-1), logits.dtype());
        return right.mul(logits.logSoftmax(-1)).sum(-1).neg();
    }

    /// @param prediction any shape
    /// @param target broadcasts with it
    /// @return the mean of the squared differences, a scalar
    public static Array meanSquaredError(Array prediction, Array target) {
        return prediction.sub(target).square().mean();
    }
}
