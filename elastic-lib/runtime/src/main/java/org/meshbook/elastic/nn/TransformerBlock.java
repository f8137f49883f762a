package org.meshbook.elastic.nn;

import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.Array;

/// One layer of a transformer: attention, then two dense layers, each added to what it read.
///
/// The norms come before, as in GPT-2.
///
/// @param before norm before the attention
/// @param attention over positions
/// @param between norm before the dense layers
/// @param up `[width, 4 * width]`, followed by gelu
/// @param down `[4 * width, width]`
public record TransformerBlock(
        LayerNorm before, Attention attention, LayerNorm between, Dense up, Dense down) {
    private static final int WIDER = 4;

    /// @param random where the weights come from
    /// @param width of each position's vector
    /// @param heads of the attention
    /// @return a fresh layer on this host
    public static TransformerBlock init(RandomGenerator random, int width, int heads) {
        return new TransformerBlock(
                LayerNorm.init(width),
                Attention.init(random, width, heads),
                LayerNorm.init(width),
                Dense.init(random, width, WIDER * width),
                Dense.init(random, WIDER * width, width));
    }

    /// @param x `[batch, time, width]`
    /// @return the same shape; no position saw a later one
    public Array applyCausal(Array x) {
        var seen = x.add(attention.applyCausal(before.apply(x)));
        return seen.add(down.apply(Activations.gelu(up.apply(between.apply(seen)))));
    }
}
