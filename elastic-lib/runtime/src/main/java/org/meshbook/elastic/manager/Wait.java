package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.manager.health.Prober;
import org.meshbook.elastic.manager.health.Prober.Probed;
import org.meshbook.elastic.slices.Slices;

/// Waits until enough slices answer. The poll is a floor on the period of probes, not a pause; a
/// change that the head pushes starts a probe at once; the last sleep is clipped so that a probe
/// falls on the deadline.
final class Wait {
    private final Slices slices;
    private final Prober prober;
    private final Events events;
    private final LongSupplier changes;
    private final LongSupplier closes;

    /// @param changes grows with each change that the head pushes, and with each close
    /// @param closes grows when the manager is closed
    Wait(Slices slices, Prober prober, Events events, LongSupplier changes, LongSupplier closes) {
        this.slices = slices;
        this.prober = prober;
        this.events = events;
        this.changes = changes;
        this.closes = closes;
    }

    /// Waits for slices of `all`.
    ///
    /// @return the last probe: all healthy slices, which may be more than wanted
    /// @throws CapacityTimeout if they are fewer when the time is over
    /// @throws org.meshbook.elastic.UsageError if the manager is closed meanwhile
    Probed until(Set<Integer> all, int wanted, Duration poll, Duration within)
            throws InterruptedException {
        var clock = slices.clock();
        var start = clock.elapsed();
        long open = closes.getAsLong();
        @Nullable Set<Integer> told = null;
        while (true) {
            // 1. probe
            long heard = changes.getAsLong();
            require(
                    closes.getAsLong() == open,
                    "the manager was closed while it waited for %d slices; run the cell again",
                    wanted);
            var round = clock.elapsed();
            var probed = prober.probe(all);
            var now = clock.elapsed();
            if (probed.healthy().size() >= wanted) {
                slices.timeline().add("wait", start, now, 0);
                return probed;
            }
            // 2. give up at the deadline
            var missing = missing(all, probed.healthy());
            var left = within.minus(now.minus(start));
            if (!left.isPositive()) {
                throw new CapacityTimeout(wanted, probed.healthy(), missing, now.minus(start));
            }
            // 3. say for whom, once for each set
            if (!probed.healthy().equals(told)) {
                told = probed.healthy();
                events.tell(new ElasticEvent.Waiting(clock.now(), wanted, told, missing));
            }
            // 4. sleep the rest of the period, or until something changes
            var nap = poll.minus(now.minus(round));
            clock.await(nap.compareTo(left) < 0 ? nap : left, () -> changes.getAsLong() != heard);
        }
    }

    private Map<Integer, Duration> missing(Set<Integer> all, Set<Integer> found) {
        var now = slices.clock().now();
        var missing = new TreeMap<Integer, Duration>();
        for (var slice : slices.view().slices()) {
            if (all.contains(slice.id()) && !found.contains(slice.id())) {
                var since = Duration.between(slice.since(), now);
                missing.put(slice.id(), since.isNegative() ? Duration.ZERO : since);
            }
        }
        return missing;
    }
}
