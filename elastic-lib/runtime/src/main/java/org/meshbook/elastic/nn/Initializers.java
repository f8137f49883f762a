package org.meshbook.elastic.nn;

import static org.meshbook.elastic.UsageError.require;

import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.Array;

/// First weights, so spread that signals neither grow nor vanish from layer to layer.
///
/// The last two sizes are inputs and outputs; sizes before them, as of a convolution's kernel,
/// multiply both. Variances are those of `jax.nn.initializers`; normal distributions are not cut
/// off at two deviations. The same generator in the same state gives the same numbers.
public final class Initializers {
    private Initializers() {}

    /// He's, for layers before `relu`: variance `2 / in`.
    ///
    /// Source: He et al., <https://arxiv.org/abs/1502.01852>.
    ///
    /// @param random generator
    /// @param dims sizes, at least two
    /// @return F32 numbers
    public static Array heNormal(RandomGenerator random, int... dims) {
        return normal(random, 2.0 / fan(dims, 2), dims);
    }

    public static Array heUniform(RandomGenerator random, int... dims) {
        return uniform(random, 2.0 / fan(dims, 2), dims);
    }

    /// Glorot's, for layers before `tanh`, `sigmoid` or none: variance `2 / (in + out)`.
    ///
    /// Source: Glorot and Bengio, *Understanding the difficulty of training deep feedforward neural
    /// networks*, AISTATS 2010.
    ///
    /// @param random generator
    /// @param dims sizes, at least two
    /// @return F32 numbers
    public static Array glorotNormal(RandomGenerator random, int... dims) {
        return normal(random, 2.0 / (fan(dims, 2) + fan(dims, 1)), dims);
    }

    public static Array glorotUniform(RandomGenerator random, int... dims) {
        return uniform(random, 2.0 / (fan(dims, 2) + fan(dims, 1)), dims);
    }

    private static Array normal(RandomGenerator random, double variance, int... dims) {
        return Array.normal(random.nextLong(), dims).mul(Math.sqrt(variance));
    }

    private static Array uniform(RandomGenerator random, double variance, int... dims) {
        return Array.uniform(random.nextLong(), dims).sub(0.5).mul(2 * Math.sqrt(3 * variance));
    }

    /// Inputs or outputs of one neuron.
    ///
    /// @param fromEnd 2 for inputs, 1 for outputs
    private static double fan(int[] dims, int fromEnd) {
        require(
                dims.length >= 2,
                "initializer: give inputs and outputs, got %d sizes",
                dims.length);
        double fan = dims[dims.length - fromEnd];
        for (int i = 0; i < dims.length - 2; i++) {
            fan *= dims[i];
        }
        return fan;
    }
}
