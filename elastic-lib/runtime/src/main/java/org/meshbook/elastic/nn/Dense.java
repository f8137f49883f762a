package org.meshbook.elastic.nn;

import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.Array;

/// An affine map of the last dimension: `x · weights + bias`.
///
/// @param weights `[in, out]`
/// @param bias `[out]`
public record Dense(Array weights, Array bias) {
    /// @param random where the weights come from: Glorot's uniform distribution; the bias is 0
    /// @param in size of the last dimension of inputs
    /// @param out size of the last dimension of results
    /// @return a fresh layer on this host
    public static Dense init(RandomGenerator random, int in, int out) {
        return new Dense(Initializers.glorotUniform(random, in, out), Array.zeros(out));
    }

    /// @param x `[..., in]`
    /// @return `[..., out]`
    /// @throws org.meshbook.elastic.MeshMismatch if the last size is not `in`; names both types
    public Array apply(Array x) {
        return x.matmul(weights).add(bias);
    }
}
