package org.meshbook.elastic.nn;

import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.Array;

/// A vector for each of a number of things.
///
/// @param table `[count, width]`
public record Embedding(Array table) {
    /// @param random where the vectors come from: normal, so that their length is about 1
    /// @param count how many things
    /// @param width of a vector
    /// @return a fresh layer on this host
    public static Embedding init(RandomGenerator random, int count, int width) {
        return new Embedding(
                Array.normal(random.nextLong(), count, width).mul(Math.sqrt(1.0 / width)));
    }

    /// @param ids integers of any shape, 0 to `count - 1`; others are moved to the nearest
    /// @return `[ids..., width]`
    public Array apply(Array ids) {
        return table.take(ids, 0);
    }
}
