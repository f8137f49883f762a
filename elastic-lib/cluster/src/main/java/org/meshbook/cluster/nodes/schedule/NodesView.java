package org.meshbook.cluster.nodes.schedule;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;

/// Nodes and the pods on them, as one pass of the scheduler sees them. Belongs to the loop's
/// thread.
final class NodesView {
    private final TreeMap<String, Resource> nodes = new TreeMap<>();
    private final Map<String, Map<ResourceKey, Resource>> pods = new LinkedHashMap<>();

    /// Pods on nodes that keep others away.
    private final Map<ResourceKey, Resource> aloof = new LinkedHashMap<>();

    private final Map<String, PodNeeds> needs = new HashMap<>();

    void put(Resource node) {
        nodes.put(node.name(), node);
    }

    void drop(Resource node) {
        nodes.remove(node.name());
    }

    Resource node(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }

    void bind(Resource pod, String node) {
        if (!Selectors.terms(pod, "podAntiAffinity").isEmpty()) {
            aloof.put(pod.key(), pod);
        }
        pods.computeIfAbsent(node, _ -> new LinkedHashMap<>()).put(pod.key(), pod);
    }

    void free(Resource pod, String node) {
        aloof.remove(pod.key());
        needs.remove(pod.uid());
        pods.getOrDefault(node, Map.of()).remove(pod.key());
    }

    Collection<Resource> nodes() {
        return nodes.values();
    }

    Collection<Resource> on(String node) {
        return pods.getOrDefault(node, Map.of()).values();
    }

    /// @return why a pod cannot run on a node; nothing if it can
    ///
    /// @param pod the pod
    /// @param node the node
    /// @param here pods that are taken to be on it
    List<String> reasons(Resource pod, Resource node, Collection<Resource> here) {
        if (node.at("spec", "unschedulable").asBoolean(false)) {
            return List.of("node(s) were unschedulable");
        }
        var taint = Selectors.untolerated(pod, node).findFirst();
        if (taint.isPresent()) {
            return List.of(
                    "node(s) had untolerated taint {%s: %s}"
                            .formatted(
                                    taint.get().path("key").asString(""),
                                    taint.get().path("value").asString("")));
        }
        if (!Selectors.nodeFits(pod, node)) {
            return List.of("node(s) didn't match Pod's node affinity/selector");
        }
        var own = needs(pod);
        var ports = new HashSet<String>();
        here.forEach(p -> ports.addAll(needs(p).hostPorts()));
        if (own.hostPorts().stream().anyMatch(ports::contains)) {
            return List.of("node(s) didn't have free ports for the requested pod ports");
        }
        var tooLittle = insufficient(own, node, here);
        return tooLittle.isEmpty() ? affinity(pod, node, here) : tooLittle;
    }

    /// @param reason why a pod cannot run on a node
    /// @return whether another pod's end may change that
    static boolean resolvable(String reason) {
        return !reason.endsWith("affinity/selector")
                && !reason.contains("taint")
                && !reason.endsWith("unschedulable")
                && !reason.endsWith("pod affinity rules");
    }

    Map<String, Quantity> used(Collection<Resource> pods) {
        var used = new LinkedHashMap<String, Quantity>();
        pods.forEach(p -> PodNeeds.add(used, needs(p).requests()));
        return used;
    }

    private PodNeeds needs(Resource pod) {
        return needs.computeIfAbsent(pod.uid(), _ -> PodNeeds.of(pod));
    }

    private List<String> insufficient(PodNeeds needs, Resource node, Collection<Resource> here) {
        var allocatable = PodNeeds.quantities(node.at("status", "allocatable"));
        var used = used(here);
        return needs.requests().entrySet().stream()
                .filter(e -> !e.getValue().isZero())
                .filter(
                        e -> {
                            var name = e.getKey();
                            var wanted = used.getOrDefault(name, Quantity.ZERO).plus(e.getValue());
                            return wanted.compareTo(allocatable.getOrDefault(name, Quantity.ZERO))
                                    > 0;
                        })
                .map(
                        e ->
                                e.getKey().equals("pods")
                                        ? "Too many pods"
                                        : "Insufficient " + e.getKey())
                .toList();
    }

    private List<String> affinity(Resource pod, Resource node, Collection<Resource> here) {
        for (var term : Selectors.terms(pod, "podAffinity")) {
            var domain = domain(node, term.path("topologyKey").asString(""));
            boolean near =
                    domain.isPresent()
                            && in(domain.get(), node, here).stream()
                                    .anyMatch(p -> Selectors.matches(term, pod, p));
            boolean first =
                    domain.isPresent()
                            && Selectors.matches(term, pod, pod)
                            && pods.values().stream()
                                    .flatMap(m -> m.values().stream())
                                    .noneMatch(p -> Selectors.matches(term, pod, p));
            if (!near && !first) {
                return List.of("node(s) didn't match pod affinity rules");
            }
        }
        for (var term : Selectors.terms(pod, "podAntiAffinity")) {
            var domain = domain(node, term.path("topologyKey").asString(""));
            if (domain.isPresent()
                    && in(domain.get(), node, here).stream()
                            .anyMatch(p -> Selectors.matches(term, pod, p))) {
                return List.of("node(s) didn't match pod anti-affinity rules");
            }
        }
        return kept(pod, node, here);
    }

    /// Pods that are there keep others away, too.
    private List<String> kept(Resource pod, Resource node, Collection<Resource> here) {
        for (var there : aloof.values()) {
            var other = nodes.get(there.text("spec", "nodeName"));
            if (other == null || other.name().equals(node.name()) && !here.contains(there)) {
                continue;
            }
            for (var term : Selectors.terms(there, "podAntiAffinity")) {
                var key = term.path("topologyKey").asString("");
                var domain = domain(node, key);
                if (domain.isPresent()
                        && domain.equals(domain(other, key))
                        && Selectors.matches(term, there, pod)) {
                    return List.of("node(s) didn't satisfy existing pods anti-affinity rules");
                }
            }
        }
        return List.of();
    }

    private record Domain(String key, String value) {}

    private static Optional<Domain> domain(Resource node, String key) {
        return Optional.ofNullable(node.labels().get(key)).map(value -> new Domain(key, value));
    }

    private Set<Resource> in(Domain domain, Resource node, Collection<Resource> here) {
        return nodes.values().stream()
                .filter(n -> domain.value().equals(n.labels().get(domain.key())))
                .flatMap(n -> (n == node ? here : on(n.name())).stream())
                .collect(Collectors.toSet());
    }
}
