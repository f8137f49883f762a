package org.meshbook.cluster.queue;

import java.time.Instant;
import java.util.Map;

/// Quota that a workload holds.
///
/// @param key `namespace/name` of the workload
/// @param uid its UID
/// @param queue its ClusterQueue
/// @param priority its priority
/// @param queuedAt since when it waited; newer ones of equal priority may have to go
/// @param reservedAt since when it holds the quota, in whole seconds
/// @param evicted whether it is about to give it back
/// @param usage how much, by flavor and resource
/// @param held the same for each pod set
public record Reservation(
        String key,
        String uid,
        String queue,
        int priority,
        Instant queuedAt,
        Instant reservedAt,
        boolean evicted,
        Map<FlavorResource, Long> usage,
        Map<String, Map<FlavorResource, Long>> held) {
    public Reservation {
        usage = Map.copyOf(usage);
        held = Map.copyOf(held);
    }

    long held(String podSet, String resource, String flavor) {
        return held.getOrDefault(podSet, Map.of())
                .getOrDefault(new FlavorResource(flavor, resource), 0L);
    }

    /// @return the flavor that a pod set's resource came from; `""` if it has none
    String flavor(String podSet, String resource) {
        return held.getOrDefault(podSet, Map.of()).keySet().stream()
                .filter(fr -> fr.resource().equals(resource))
                .map(FlavorResource::flavor)
                .findFirst()
                .orElse("");
    }
}
