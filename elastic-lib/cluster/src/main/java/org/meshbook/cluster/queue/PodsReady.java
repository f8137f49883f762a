package org.meshbook.cluster.queue;

import java.time.Duration;
import java.util.OptionalInt;

/// When workloads whose pods do not get ready are taken back: `waitForPodsReady`.
///
/// @param timeout how long pods may take to be ready
/// @param recovery how long they may take to be ready again, once they were
/// @param fromEviction whether one that was taken back queues anew, behind those that wait; else it
///   keeps the place that its creation gave it
/// @param limit how often it may come back; empty for always
/// @param base its pause before it comes back for the first time; twice as long each time after it
/// @param most the longest pause
public record PodsReady(
        Duration timeout,
        Duration recovery,
        boolean fromEviction,
        OptionalInt limit,
        Duration base,
        Duration most) {
    /// What counts where nothing else is said.
    public static final PodsReady USUAL =
            new PodsReady(
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(5),
                    true,
                    OptionalInt.empty(),
                    Duration.ofMinutes(1),
                    Duration.ofHours(1));

    /// @return the same, with one time for both waits
    public PodsReady within(Duration time) {
        return new PodsReady(time, time, fromEviction, limit, base, most);
    }

    /// @param count the how-manyth pause, from 1
    /// @return how long it is
    public Duration pause(int count) {
        var pause = base.multipliedBy(1L << Math.min(count - 1, 20));
        return pause.compareTo(most) < 0 ? pause : most;
    }
}
