package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import org.meshbook.elastic.manager.health.SliceProbe;
import org.meshbook.elastic.slices.Slices;

/// How a [Manager] judges slices; immutable, each method yields a changed copy.
///
/// @param probeTimeout how long a probe waits for one slice
/// @param quarantine how long a slice that computed a wrong value is left out; doubles with each
///   further one
/// @param probe how slices are probed
public record ManagerOptions(Duration probeTimeout, Duration quarantine, SliceProbe probe) {
    /// Probes compute a known value on every device and wait 5 s; a first quarantine lasts 10
    /// minutes.
    public static final ManagerOptions DEFAULT =
            new ManagerOptions(Duration.ofSeconds(5), Duration.ofMinutes(10), Slices::probe);

    /// @throws org.meshbook.elastic.UsageError if a time is not positive
    public ManagerOptions {
        require(
                probeTimeout.isPositive(),
                "a probe time-out of %s; give a positive time",
                probeTimeout);
        require(quarantine.isPositive(), "a quarantine of %s; give a positive time", quarantine);
    }

    /// @param time how long a probe waits for one slice
    /// @return the changed copy
    public ManagerOptions probeTimeout(Duration time) {
        return new ManagerOptions(time, quarantine, probe);
    }

    /// @param time how long a slice that computed a wrong value is left out at first
    /// @return the changed copy
    public ManagerOptions quarantine(Duration time) {
        return new ManagerOptions(probeTimeout, time, probe);
    }

    /// @param how slices are probed, as by a program of one's own beside [Slices#probe]
    /// @return the changed copy
    public ManagerOptions probe(SliceProbe how) {
        return new ManagerOptions(probeTimeout, quarantine, how);
    }
}
