package org.meshbook.elastic.slices;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One slice at one moment.
///
/// @param id index in the allocation
/// @param generation 1 for the first processes, one more at each return
/// @param state what the head knows
/// @param hosts its hosts in order
/// @param since when it entered that state
/// @param cause why, in one line; empty for a slice that never failed
/// @param place in the queue by which it comes and goes; empty for one that is there at once
public record SliceView(
        int id,
        int generation,
        SliceState state,
        List<HostView> hosts,
        Instant since,
        String cause,
        Optional<Place> place) {
    public SliceView {
        hosts = List.copyOf(hosts);
    }

    /// A slice that comes through no queue.
    ///
    /// @param id index in the allocation
    /// @param generation 1 for the first processes
    /// @param state what the head knows
    /// @param hosts its hosts in order
    /// @param since when it entered that state
    /// @param cause why, in one line
    public SliceView(
            int id,
            int generation,
            SliceState state,
            List<HostView> hosts,
            Instant since,
            String cause) {
        this(id, generation, state, hosts, since, cause, Optional.empty());
    }

    /// A place in a queue.
    ///
    /// @param job the job that stands there for the slice
    /// @param position from 1; 0 while it does not wait
    public record Place(String job, int position) {}

    /// @return number of devices on all its hosts
    public int devices() {
        return hosts.stream().mapToInt(HostView::devices).sum();
    }
}
