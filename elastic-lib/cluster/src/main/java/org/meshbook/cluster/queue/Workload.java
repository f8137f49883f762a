package org.meshbook.cluster.queue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A workload that wants quota.
///
/// @param key `namespace/name`
/// @param uid its UID, the last tie break
/// @param queue name of its ClusterQueue
/// @param priority higher goes first
/// @param queuedAt since when it waits, in whole seconds; earlier goes first
/// @param podSets what it wants
/// @param replaces the key of the smaller slice of the same job that it takes the place of
public record Workload(
        String key,
        String uid,
        String queue,
        int priority,
        Instant queuedAt,
        List<PodSet> podSets,
        Optional<String> replaces) {
    public Workload {
        podSets = List.copyOf(podSets);
    }

    boolean reducible() {
        return podSets.stream().anyMatch(p -> p.least() < p.count());
    }

    /// What makes two workloads fare alike in one queue.
    record Shape(int priority, List<PodSet> podSets) {}

    Shape shape() {
        return new Shape(priority, podSets);
    }
}
