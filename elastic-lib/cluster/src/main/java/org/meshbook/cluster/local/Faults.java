package org.meshbook.cluster.local;

import static org.meshbook.elastic.UsageError.require;

import java.util.List;
import java.util.Map;
import org.meshbook.cluster.nodes.pools.NodePools;

/// Loses and repairs node pools, as a person asks: real faults of a cluster that is not real.
///
/// @param pools the cluster's pools
record Faults(NodePools pools) {
    /// @param options `lose` and `repair`, each the name of a pool
    /// @throws org.meshbook.elastic.UsageError if there is no such pool, or it is not lost
    void asked(Map<String, String> options) {
        var lose = options.getOrDefault("lose", "");
        if (!lose.isEmpty()) {
            require(
                    !pools.lose(lose).isEmpty(),
                    "no node pool '%s' has nodes; there are %s",
                    lose,
                    listed(pools.names()));
        }
        var repair = options.getOrDefault("repair", "");
        if (!repair.isEmpty()) {
            require(
                    !pools.repair(repair).isEmpty(),
                    "node pool '%s' is not lost; lost are %s",
                    repair,
                    listed(pools.lost()));
        }
    }

    private static String listed(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }
}
