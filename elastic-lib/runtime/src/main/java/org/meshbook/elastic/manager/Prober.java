package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;

/// Asks slices whether they compute right values, and remembers those that did not.
final class Prober {
    private final Slices slices;
    private final Duration timeout;
    private final Events events;
    private final Map<Integer, Integer> quarantined = new ConcurrentHashMap<>();

    Prober(Slices slices, Duration timeout, Events events) {
        this.slices = slices;
        this.timeout = timeout;
        this.events = events;
    }

    /// What one probe found.
    ///
    /// @param healthy slices that answered right and whose processes stayed the same meanwhile
    /// @param health one entry for each slice asked
    /// @param generations of the healthy slices
    record Probed(
            Set<Integer> healthy, Map<Integer, Health> health, Map<Integer, Integer> generations) {}

    /// Probes slices; those that the head knows to be away are not asked, so that a known death
    /// costs no time-out.
    Probed probe(Set<Integer> asked) throws InterruptedException {
        // 1. ask those that may answer
        var before = healthyGenerations();
        var answering = new TreeSet<>(asked);
        answering.retainAll(before.keySet());
        var answers =
                answering.isEmpty()
                        ? Map.<Integer, Health>of()
                        : slices.probe(Collections.unmodifiableSet(answering), timeout);
        // 2. keep those that are still the same processes and compute right
        var after = healthyGenerations();
        var healthy = new TreeSet<Integer>();
        var health = new TreeMap<Integer, Health>();
        var generations = new TreeMap<Integer, Integer>();
        for (int slice : asked) {
            var generation = before.get(slice);
            var found = judge(slice, generation, answers.getOrDefault(slice, Health.UNREACHABLE));
            if (found == Health.HEALTHY
                    && generation != null
                    && generation.equals(after.get(slice))) {
                healthy.add(slice);
                generations.put(slice, generation);
            } else if (found == Health.HEALTHY) {
                found = Health.UNREACHABLE;
            }
            health.put(slice, found);
        }
        return new Probed(healthy, health, generations);
    }

    /// Generations of the slices that the head believes healthy.
    Map<Integer, Integer> healthyGenerations() {
        var generations = new HashMap<Integer, Integer>();
        for (SliceView slice : slices.view().slices()) {
            if (slice.state() == SliceState.HEALTHY) {
                generations.put(slice.id(), slice.generation());
            }
        }
        return generations;
    }

    private Health judge(int slice, @Nullable Integer generation, Health answer) {
        if (generation == null) {
            return answer;
        }
        if (answer == Health.SUSPECT_SDC) {
            if (!generation.equals(quarantined.put(slice, generation))) {
                events.tell(new ElasticEvent.Quarantined(slices.clock().now(), slice));
            }
            return answer;
        }
        return generation.equals(quarantined.get(slice)) ? Health.SUSPECT_SDC : answer;
    }
}
