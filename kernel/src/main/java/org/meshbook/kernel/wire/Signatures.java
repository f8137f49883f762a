package org.meshbook.kernel.wire;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/// Signatures that were seen lately: a message that is recorded and sent again is not a new wish of
/// its sender. Not thread-safe.
///
/// Eight bytes of each are kept: nobody without the key can choose them.
final class Signatures {
    private static final int REMEMBERED = 1 << 14;
    private static final int HEX_DIGITS = 16;

    private final Set<Long> seen = new HashSet<>();
    private final ArrayDeque<Long> order = new ArrayDeque<>();

    /// @param signature that was found to be right
    /// @return false if it was here already
    boolean add(byte[] signature) {
        var digest = 0L;
        for (var at = 0; at < Math.min(HEX_DIGITS, signature.length); at++) {
            digest = (digest << 4) | Character.digit(signature[at], 16) & 0xF;
        }
        if (!seen.add(digest)) {
            return false;
        }
        order.add(digest);
        if (order.size() > REMEMBERED) {
            seen.remove(order.remove());
        }
        return true;
    }
}
