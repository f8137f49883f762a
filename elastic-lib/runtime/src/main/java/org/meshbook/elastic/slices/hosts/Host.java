package org.meshbook.elastic.slices.hosts;

import java.util.List;
import java.util.function.LongConsumer;

/// What a host function sees: its place and the shards there.
///
/// @param slice index of the slice
/// @param host index of the host within the slice
/// @param arrays one entry an array that was given: its distinct shards on this host in order of
///   their place, read-only
/// @param outputs one entry an array that is asked for: its distinct shards on this host, all
///   zeros, to be filled before the function returns
/// @param progress takes the bytes done so far, for callers that watch
public record Host(
        int slice,
        int host,
        List<List<HostShard>> arrays,
        List<List<HostShard>> outputs,
        LongConsumer progress) {
    public Host {
        arrays = List.copyOf(arrays);
        outputs = List.copyOf(outputs);
    }

    /// @return as "slice 2 host 0"
    public String name() {
        return "slice " + slice + " host " + host;
    }
}
