package org.meshbook.elastic.data;

import java.util.List;

/// What one batch took, in global indices: rows `first + shard`, then every `shards`-th, below
/// `first + size`.
///
/// @param first global index of the first row of the global batch
/// @param size rows of the global batch
/// @param shard which part this is
/// @param shards number of parts
/// @param dropped rows before `first` that an epoch's end left over
/// @param failed global indices of rows that could not be read, ascending
public record Taken(long first, int size, int shard, int shards, long dropped, List<Long> failed) {
    public Taken {
        failed = List.copyOf(failed);
    }
}
