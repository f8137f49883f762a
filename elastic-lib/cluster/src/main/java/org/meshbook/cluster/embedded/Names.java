package org.meshbook.cluster.embedded;

import java.util.UUID;
import java.util.random.RandomGenerator;

/// Makes uids and the ends of generated names.
final class Names {
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int LONGEST_BASE = 58;
    private static final int SUFFIX = 5;

    private final RandomGenerator random;

    Names(RandomGenerator random) {
        this.random = random;
    }

    /// @return a uid in the form of a random UUID
    synchronized String uid() {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    /// @param base what the name begins with
    /// @return a name that is likely free
    synchronized String after(String base) {
        var name = new StringBuilder(base.substring(0, Math.min(base.length(), LONGEST_BASE)));
        for (int i = 0; i < SUFFIX; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }
}
