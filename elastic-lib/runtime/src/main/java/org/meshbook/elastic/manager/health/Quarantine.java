package org.meshbook.elastic.manager.health;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.elastic.slices.Clock;

/// Slices that computed a wrong value. Each is left out until its processes are new or its time is
/// over; then it must compute right. The time doubles with each wrong value. Thread-safe.
public final class Quarantine {
    private static final Duration LONGEST = Duration.ofHours(12);

    private final Clock clock;
    private final Duration first;
    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();

    /// @param generation of the processes that computed wrong
    /// @param until on the clock's monotonic time
    /// @param time how long it lasts this time
    private record Entry(int generation, Duration until, Duration time) {}

    /// @param clock time
    /// @param first how long a first quarantine lasts
    public Quarantine(Clock clock, Duration first) {
        this.clock = clock;
        this.first = first;
    }

    /// A slice computed a wrong value.
    ///
    /// @param slice index
    /// @param generation of its processes
    /// @return how long it is left out from now on
    public Duration enter(int slice, int generation) {
        var now = clock.elapsed();
        var entry =
                entries.merge(
                        slice,
                        new Entry(generation, now.plus(first), first),
                        (old, _) -> {
                            var time = shorter(old.time.multipliedBy(2), LONGEST);
                            return new Entry(generation, now.plus(time), time);
                        });
        return entry.time;
    }

    /// @param slice index
    /// @param generation of its processes now
    /// @return whether it must be left out
    public boolean holds(int slice, int generation) {
        var entry = entries.get(slice);
        return entry != null
                && entry.generation == generation
                && clock.elapsed().compareTo(entry.until) < 0;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
