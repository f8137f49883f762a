package org.meshbook.elastic.store;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;

/// Memory of arrays that were freed, kept for the next ones of the same type.
///
/// A training step frees as much as it makes. Memory that is touched for the first time costs a
/// page fault for each 4 KiB, and what a direct buffer took comes back only by a collection; so
/// what is known to be nobody's is used again. Thread-safe.
final class Recycler {
    private static final long MOST_BYTES = 64L << 20;

    private final Map<ArrayType, ArrayDeque<HostArray>> kept = new HashMap<>();
    private long bytes;

    /// @return an array of that type, of any content
    synchronized HostArray take(ArrayType type) {
        var known = kept.get(type);
        if (known == null) {
            return HostArray.zeros(type);
        }
        var array = known.remove();
        if (known.isEmpty()) {
            kept.remove(type);
        }
        bytes -= type.bytes();
        return array;
    }

    /// @param array that nobody refers to any more
    synchronized void give(HostArray array) {
        long more = array.type().bytes();
        if (bytes + more > MOST_BYTES) {
            // Types that are no longer made must not fill it for ever.
            kept.clear();
            bytes = 0;
        }
        if (more <= MOST_BYTES) {
            kept.computeIfAbsent(array.type(), _ -> new ArrayDeque<>()).add(array);
            bytes += more;
        }
    }
}
