package org.meshbook.elastic.data;

import org.meshbook.elastic.slices.Clock;

/// How batches are read; immutable, each method yields a changed copy.
///
/// @param shard which part of each batch this reader takes
/// @param shards number of parts
/// @param ahead batches read before they are asked for
/// @param epochs after which reading ends
/// @param tolerated rows that may be unreadable
/// @param clock time, and the thread that reads ahead
record Reading(int shard, int shards, int ahead, long epochs, int tolerated, Clock clock) {
    static final Reading DEFAULT = new Reading(0, 1, 2, Long.MAX_VALUE, 0, Clock.system());

    Reading part(int index, int count) {
        return new Reading(index, count, ahead, epochs, tolerated, clock);
    }

    Reading ahead(int batches) {
        return new Reading(shard, shards, batches, epochs, tolerated, clock);
    }

    Reading epochs(long count) {
        return new Reading(shard, shards, ahead, count, tolerated, clock);
    }

    Reading tolerate(int rows) {
        return new Reading(shard, shards, ahead, epochs, rows, clock);
    }

    Reading on(Clock other) {
        return new Reading(shard, shards, ahead, epochs, tolerated, other);
    }
}
