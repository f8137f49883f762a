package org.meshbook.elastic.slices;

import java.time.Instant;
import java.util.List;

/// One slice at one moment.
///
/// @param id index in the allocation
/// @param generation 1 for the first processes, one more at each return
/// @param state what the head knows
/// @param hosts its hosts in order
/// @param since when it entered that state
/// @param cause why, in one line; empty for a slice that never failed
public record SliceView(
        int id,
        int generation,
        SliceState state,
        List<HostView> hosts,
        Instant since,
        String cause) {
    public SliceView {
        hosts = List.copyOf(hosts);
    }

    /// @return number of devices on all its hosts
    public int devices() {
        return hosts.stream().mapToInt(HostView::devices).sum();
    }
}
