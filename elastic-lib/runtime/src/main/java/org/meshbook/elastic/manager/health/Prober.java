package org.meshbook.elastic.manager.health;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.Slices;

/// Asks slices whether they compute right values, and leaves out those that did not. Thread-safe.
public final class Prober {
    private final Slices slices;
    private final Duration timeout;
    private final Quarantine quarantine;
    private final Found found;
    private final SliceProbe probe;

    /// Hears of slices that computed wrong values.
    @FunctionalInterface
    public interface Found {
        /// @param slice index
        /// @param time how long it is left out
        void wrong(int slice, Duration time);
    }

    /// @param slices whom to ask
    /// @param probe how to ask
    /// @param timeout for each slice
    /// @param quarantine first time that a slice that computes wrong is left out
    /// @param found told of each wrong value
    public Prober(
            Slices slices, SliceProbe probe, Duration timeout, Duration quarantine, Found found) {
        this.slices = slices;
        this.probe = probe;
        this.timeout = timeout;
        this.quarantine = new Quarantine(slices.clock(), quarantine);
        this.found = found;
    }

    /// What one probe found.
    ///
    /// @param healthy slices that answered right and whose processes stayed the same meanwhile
    /// @param health one entry for each slice asked
    /// @param generations of the healthy slices
    public record Probed(
            Set<Integer> healthy, Map<Integer, Health> health, Map<Integer, Integer> generations) {}

    /// Probes slices. Those that the head knows to be away are not asked, so that a known death
    /// costs no time-out; nor are those in quarantine.
    ///
    /// @param asked indices
    /// @return what was found
    /// @throws InterruptedException if the thread is interrupted
    public Probed probe(Set<Integer> asked) throws InterruptedException {
        // 1. ask those that may answer
        var before = healthyGenerations(asked);
        var answering = new TreeSet<>(asked);
        answering.removeIf(slice -> !mayAnswer(slice, before.get(slice)));
        var answers =
                answering.isEmpty()
                        ? Map.<Integer, Health>of()
                        : probe.probe(slices, Collections.unmodifiableSet(answering), timeout);
        // 2. keep those that are still the same processes and compute right
        var after = healthyGenerations(asked);
        var healthy = new TreeSet<Integer>();
        var health = new TreeMap<Integer, Health>();
        var generations = new TreeMap<Integer, Integer>();
        for (int slice : asked) {
            var generation = before.get(slice);
            var answer = judge(slice, generation, answers.getOrDefault(slice, Health.UNREACHABLE));
            if (answer == Health.HEALTHY
                    && generation != null
                    && generation.equals(after.get(slice))) {
                healthy.add(slice);
                generations.put(slice, generation);
            } else if (answer == Health.HEALTHY) {
                answer = Health.UNREACHABLE;
            }
            health.put(slice, answer);
        }
        return new Probed(healthy, health, generations);
    }

    /// @param asked indices
    /// @return generations of those that the head believes healthy
    public Map<Integer, Integer> healthyGenerations(Set<Integer> asked) {
        var view = slices.view();
        var generations = new HashMap<Integer, Integer>();
        for (int id : asked) {
            view.slice(id)
                    .filter(slice -> slice.state() == SliceState.HEALTHY)
                    .ifPresent(slice -> generations.put(id, slice.generation()));
        }
        return generations;
    }

    private boolean mayAnswer(int slice, @Nullable Integer generation) {
        return generation != null && !quarantine.holds(slice, generation);
    }

    private Health judge(int slice, @Nullable Integer generation, Health answer) {
        if (generation == null) {
            return answer;
        }
        if (answer == Health.SUSPECT_SDC) {
            found.wrong(slice, quarantine.enter(slice, generation));
            return answer;
        }
        return quarantine.holds(slice, generation) ? Health.SUSPECT_SDC : answer;
    }
}
