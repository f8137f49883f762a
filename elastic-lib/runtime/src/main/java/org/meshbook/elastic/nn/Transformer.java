package org.meshbook.elastic.nn;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.meshbook.elastic.array.Array;

/// A small language model: says for each position of a text what comes next.
///
/// @param tokens a vector for each token
/// @param positions `[time, width]`, a vector for each position; longer texts are refused
/// @param blocks the layers
/// @param last norm after them
/// @param head `[width, tokens]`
public record Transformer(
        Embedding tokens,
        Array positions,
        List<TransformerBlock> blocks,
        LayerNorm last,
        Dense head) {
    public Transformer {
        blocks = List.copyOf(blocks);
    }

    /// How large a fresh one is.
    ///
    /// @param tokens how many different ones there are
    /// @param time longest text in tokens
    /// @param width of each position's vector
    /// @param heads of each attention; divides the width
    /// @param layers how many
    public record Size(int tokens, int time, int width, int heads, int layers) {}

    /// @param random where the weights come from
    /// @param size how large
    /// @return a fresh model on this host
    public static Transformer init(RandomGenerator random, Size size) {
        return new Transformer(
                Embedding.init(random, size.tokens(), size.width()),
                Array.normal(random.nextLong(), size.time(), size.width())
                        .mul(Math.sqrt(1.0 / size.width())),
                Stream.generate(() -> TransformerBlock.init(random, size.width(), size.heads()))
                        .limit(size.layers())
                        .toList(),
                LayerNorm.init(size.width()),
                Dense.init(random, size.width(), size.tokens()));
    }

    /// @param ids integers `[batch, time]`
    /// @return logits `[batch, time, tokens]` of the token after each position
    public Array apply(Array ids) {
        var x = tokens.apply(ids).add(positions.slice(0, 0, ids.shape().dim(1)));
        for (var block : blocks) {
            x = block.applyCausal(x);
        }
        return head.apply(last.apply(x));
    }

    /// @param ids integers `[batch, time + 1]`
    /// @return the mean cross entropy of each token given those before it, a scalar, in nats
    public Array loss(Array ids) {
        int time = ids.shape().dim(1) - 1;
        return Losses.crossEntropy(apply(ids.slice(1, 0, time)), ids.slice(1, 1, time + 1)).mean();
    }
}
