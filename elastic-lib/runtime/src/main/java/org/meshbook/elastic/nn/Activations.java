package org.meshbook.elastic.nn;

import static org.meshbook.elastic.UsageError.require;

import org.meshbook.elastic.array.Array;

/// Functions between layers; [Array] itself has `relu`, `tanh`, `sigmoid` and `softmax`.
public final class Activations {
    private static final double ROOT = Math.sqrt(2 / Math.PI);
    private static final double CUBIC = 0.044715;

    private Activations() {}

    /// The Gaussian error linear unit, by its approximation with `tanh`, which is the default of
    /// `jax.nn.gelu`.
    ///
    /// @param x floats
    /// @return `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x³)))`
    public static Array gelu(Array x) {
        var inner = x.add(x.pow(3).mul(CUBIC)).mul(ROOT);
        return x.mul(inner.tanh().add(1).mul(0.5));
    }

    /// @param x floats
    /// @return `x * sigmoid(x)`
    public static Array silu(Array x) {
        return x.mul(x.sigmoid());
    }

    /// Drops elements by chance, and scales up the others, so that the mean stays.
    ///
    /// @param x floats
    /// @param uniform numbers of `[0, 1)`, shaped like `x`; other ones each step
    /// @param rate the part that is dropped, from 0 to below 1
    /// @return `x / (1 - rate)` where the number is below `1 - rate`, else 0
    public static Array dropout(Array x, Array uniform, double rate) {
        require(rate >= 0 && rate < 1, "dropout: rate %s; give 0 to below 1", rate);
        return Array.where(uniform.lt(1 - rate), x.div(1 - rate), 0);
    }
}
