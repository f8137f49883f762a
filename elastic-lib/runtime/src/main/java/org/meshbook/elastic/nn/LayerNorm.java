package org.meshbook.elastic.nn;

import org.meshbook.elastic.array.Array;

/// Brings the last dimension to mean 0 and variance 1, then scales and shifts it.
///
/// Source: Ba, Kiros and Hinton, <https://arxiv.org/abs/1607.06450>.
///
/// @param scale `[width]`
/// @param bias `[width]`
public record LayerNorm(Array scale, Array bias) {
    /// Added to the variance, as Flax does.
    private static final double EPSILON = 1e-6;

    /// @param width size of the last dimension
    /// @return a fresh layer on this host: scale 1, bias 0
    public static LayerNorm init(int width) {
        return new LayerNorm(Array.ones(width), Array.zeros(width));
    }

    /// @param x `[..., width]`
    /// @return the same shape
    public Array apply(Array x) {
        var centred = x.sub(x.meanKeepDims(-1));
        var deviation = centred.square().meanKeepDims(-1).add(EPSILON).rsqrt();
        return centred.mul(deviation).mul(scale).add(bias);
    }
}
