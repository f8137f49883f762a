package org.meshbook.elastic.data;

/// A shuffle that needs no table: where an index goes is a pure function of seed, epoch and index.
///
/// A Feistel network of four rounds permutes the smallest even number of bits that holds the size;
/// values beyond the size are walked on until they fall within. Source: Black and Rogaway, Ciphers
/// with arbitrary finite domains, 2002.
///
/// @param size number of indices
/// @param key mixed from seed and epoch
record Permutation(long size, long key) {
    private static final int ROUNDS = 4;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    static Permutation of(long size, long seed, long epoch) {
        return new Permutation(size, mix(mix(seed + GOLDEN) + epoch));
    }

    long at(long index) {
        int half = Math.max(1, (64 - Long.numberOfLeadingZeros(size - 1) + 1) / 2);
        long walked = index;
        do {
            walked = encrypt(walked, half);
        } while (walked >= size);
        return walked;
    }

    private long encrypt(long value, int half) {
        long mask = (1L << half) - 1;
        long left = value >>> half;
        long right = value & mask;
        for (int round = 0; round < ROUNDS; round++) {
            long next = left ^ (mix(key + round * GOLDEN + right) & mask);
            left = right;
            right = next;
        }
        return left << half | right;
    }

    /// SplitMix64's finaliser.
    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
