package org.meshbook.cluster.kueue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.queue.FlavorResource;

/// Where each unfinished workload stands, and sums of it by queue, kept up to date one by one.
final class Ledger {
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<ResourceKey, Sums> sums = new HashMap<>();

    enum Phase {
        PENDING,
        RESERVING,
        ADMITTED
    }

    /// @param local its LocalQueue
    /// @param queue the ClusterQueue that it holds quota of, or waits in
    record Entry(
            ResourceKey local, ResourceKey queue, Phase phase, Map<FlavorResource, Long> usage) {}

    /// Sums of one queue of either kind.
    static final class Sums {
        final Set<String> all = new LinkedHashSet<>();
        int pending;
        int reserving;
        int admitted;
        final Map<FlavorResource, Long> reserved = new TreeMap<>();
        final Map<FlavorResource, Long> used = new TreeMap<>();

        private void count(Entry entry, int sign) {
            switch (entry.phase()) {
                case PENDING -> pending += sign;
                case RESERVING -> reserving += sign;
                case ADMITTED -> {
                    reserving += sign;
                    admitted += sign;
                    entry.usage().forEach((fr, n) -> used.merge(fr, sign * n, Long::sum));
                }
            }
            entry.usage().forEach((fr, n) -> reserved.merge(fr, sign * n, Long::sum));
        }
    }

    void put(String id, Entry entry) {
        if (entry.equals(entries.get(id))) {
            return;
        }
        remove(id);
        entries.put(id, entry);
        for (var key : List.of(entry.local(), entry.queue())) {
            var sum = sums.computeIfAbsent(key, _ -> new Sums());
            sum.all.add(id);
            sum.count(entry, 1);
        }
    }

    void remove(String id) {
        var entry = entries.remove(id);
        if (entry == null) {
            return;
        }
        for (var key : List.of(entry.local(), entry.queue())) {
            var sum = of(key);
            sum.all.remove(id);
            sum.count(entry, -1);
        }
    }

    /// @param queue a LocalQueue or a ClusterQueue
    Sums of(ResourceKey queue) {
        return sums.getOrDefault(queue, new Sums());
    }

    List<String> workloads(ResourceKey queue) {
        return List.copyOf(of(queue).all);
    }
}
