package org.meshbook.cluster.nodes.schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Resource;

/// Which pods must go so that a more important one may run, and where.
///
/// @param node the node
/// @param victims those that must go
record Preemption(Resource node, List<Resource> victims) {
    /// @param pod the pod that found no node
    /// @param candidates nodes where the end of others may help
    /// @param view all nodes and pods
    /// @return the cheapest way: least important victims, then fewest, then first by name
    static Optional<Preemption> of(Resource pod, Collection<Resource> candidates, NodesView view) {
        return candidates.stream()
                .flatMap(node -> on(node, pod, view).stream())
                .min(
                        Comparator.comparingInt(Preemption::highest)
                                .thenComparingLong(Preemption::sum)
                                .thenComparingInt(p -> p.victims().size()));
    }

    private static Optional<Preemption> on(Resource node, Resource pod, NodesView view) {
        int mine = PodNeeds.priority(pod);
        var lesser =
                view.on(node.name()).stream()
                        .filter(p -> PodNeeds.priority(p) < mine)
                        .sorted(
                                Comparator.comparingInt(PodNeeds::priority)
                                        .reversed()
                                        .thenComparing(Resource::name))
                        .toList();
        var left = new ArrayList<>(view.on(node.name()));
        left.removeAll(lesser);
        if (lesser.isEmpty() || !view.reasons(pod, node, left).isEmpty()) {
            return Optional.empty();
        }
        var victims = new ArrayList<Resource>();
        for (var candidate : lesser) {
            left.add(candidate);
            if (!view.reasons(pod, node, left).isEmpty()) {
                left.remove(candidate);
                victims.add(candidate);
            }
        }
        return Optional.of(new Preemption(node, victims));
    }

    private int highest() {
        return victims.stream().mapToInt(PodNeeds::priority).max().orElse(Integer.MIN_VALUE);
    }

    private long sum() {
        return victims.stream().mapToLong(PodNeeds::priority).sum();
    }
}
