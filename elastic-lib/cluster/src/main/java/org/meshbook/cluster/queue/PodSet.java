package org.meshbook.cluster.queue;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Equal pods that are admitted together.
///
/// @param name its name in the workload
/// @param count how many pods
/// @param least how many are enough; `count` if all are needed
/// @param requests what one pod asks for, by resource, in [Amounts]
/// @param rules where the pods may run
public record PodSet(
        String name, int count, int least, SortedMap<String, Long> requests, NodeRules rules) {
    public PodSet {
        requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
    }
}
