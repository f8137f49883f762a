package org.meshbook.elastic.nn;

import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.Array;

/// A convolution of pictures `[N, H, W, C]`.
///
/// @param kernel `[h, w, C, F]`
/// @param bias `[F]`
public record Conv(Array kernel, Array bias) {
    /// @param random where the kernel comes from: He's normal distribution; the bias is 0
    /// @param size height and width of the kernel
    /// @param in channels of pictures
    /// @param out channels of results
    /// @return a fresh layer on this host
    public static Conv init(RandomGenerator random, int size, int in, int out) {
        return new Conv(Initializers.heNormal(random, size, size, in, out), Array.zeros(out));
    }

    /// @param x `[N, H, W, C]`
    /// @return `[N, H, W, F]`: with zeros around, so that height and width stay
    /// @throws org.meshbook.elastic.MeshMismatch if channels differ; names both types
    public Array apply(Array x) {
        return apply(x, 1, "SAME");
    }

    /// @param x `[N, H, W, C]`
    /// @param stride step in both directions
    /// @param padding `"SAME"` or `"VALID"`, see [org.meshbook.elastic.array.Products#conv2d]
    /// @return `[N, H', W', F]`
    public Array apply(Array x, int stride, String padding) {
        return x.conv2d(kernel, stride, padding).add(bias);
    }
}
