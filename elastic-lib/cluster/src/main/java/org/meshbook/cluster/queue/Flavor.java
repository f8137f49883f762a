package org.meshbook.cluster.queue;

import java.util.List;
import java.util.Map;

/// A sort of nodes that quota is given for.
///
/// @param name its name
/// @param labels labels of its nodes
/// @param taints taints of its nodes
/// @param tolerations what pods get on admission, and are therefore taken to tolerate
public record Flavor(
        String name,
        Map<String, String> labels,
        List<NodeRules.Taint> taints,
        List<NodeRules.Toleration> tolerations) {
    public Flavor {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        tolerations = List.copyOf(tolerations);
    }
}
