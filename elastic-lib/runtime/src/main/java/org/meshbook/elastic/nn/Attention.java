package org.meshbook.elastic.nn;

import static org.meshbook.elastic.UsageError.require;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.Array;

/// Self-attention with several heads.
///
/// Source: Vaswani et al., <https://arxiv.org/abs/1706.03762>.
///
/// @param queryKeyValue `[width, 3 * width]`: the three maps side by side, one product for all
/// @param out `[width, width]`
/// @param heads how many; divides the width
public record Attention(Dense queryKeyValue, Dense out, int heads) {
    /// Below every score, and finite, so that a row of nothing else is no NaN.
    private static final double MASKED = -1e30;

    /// Batch and head: products are made within each pair of them.
    private static final List<Integer> PAIRS = List.of(0, 1);

    /// @throws org.meshbook.elastic.UsageError if there are no heads
    public Attention {
        require(heads >= 1, "attention: %d heads; give at least 1", heads);
    }

    /// @param random where the weights come from
    /// @param width of each position's vector
    /// @param heads how many
    /// @return a fresh layer on this host
    /// @throws org.meshbook.elastic.UsageError if the heads do not divide the width
    public static Attention init(RandomGenerator random, int width, int heads) {
        require(
                heads >= 1 && width % heads == 0,
                "attention: %d heads do not divide a width of %d",
                heads,
                width);
        return new Attention(
                Dense.init(random, width, 3 * width), Dense.init(random, width, width), heads);
    }

    /// Every position looks at all.
    ///
    /// @param x `[batch, time, width]`
    /// @return the same shape
    public Array apply(Array x) {
        return attended(x, scores -> scores);
    }

    /// Every position looks at itself and those before it.
    ///
    /// @param x `[batch, time, width]`
    /// @return the same shape
    public Array applyCausal(Array x) {
        var mask = causalMask(x.shape().dim(1));
        return attended(x, scores -> Array.where(mask, scores, MASKED));
    }

    /// @param time number of positions
    /// @return `bool[time, time]`, true where the column's position is not after the row's
    public static Array causalMask(int time) {
        var position = Array.arange(time);
        return position.expandDims(1).ge(position);
    }

    private Array attended(Array x, UnaryOperator<Array> masked) {
        int batch = x.shape().dim(0);
        int time = x.shape().dim(1);
        int width = x.shape().dim(2);
        // 1. query, key and value, each [batch, heads, time, width / heads]
        var all =
                queryKeyValue
                        .apply(x)
                        .reshape(batch, time, 3, heads, width / heads)
                        .transpose(2, 0, 3, 1, 4);
        var query = all.at(0).mul(Math.sqrt(heads / (double) width));
        // 2. how much each position looks at each other: [batch, heads, time, time]
        var scores = query.dotGeneral(all.at(1), PAIRS, PAIRS, List.of(3), List.of(3));
        var weights = masked.apply(scores).softmax(-1);
        // 3. the values, weighed, and the heads side by side again
        var mixed = weights.dotGeneral(all.at(2), PAIRS, PAIRS, List.of(3), List.of(2));
        return out.apply(mixed.transpose(0, 2, 1, 3).reshape(batch, time, width));
    }
}
