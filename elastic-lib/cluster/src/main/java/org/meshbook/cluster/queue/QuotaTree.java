package org.meshbook.cluster.queue;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Queues and cohorts as a tree, and who holds quota in it.
///
/// It is kept up to date with each reservation and built anew only when the configuration changes.
final class QuotaTree {
    private final Map<String, QueueSpec.Cohort> cohorts = new TreeMap<>();
    private final Map<String, QueueSpec> specs = new TreeMap<>();
    private final Map<String, Reservation> held = new HashMap<>();

    /// Always in step with `held`: who changes that asks for the node first.
    private @Nullable Map<String, QuotaNode> queues;

    void put(QueueSpec.Cohort cohort) {
        cohorts.put(cohort.name(), cohort);
        queues = null;
    }

    void removeCohort(String name) {
        cohorts.remove(name);
        queues = null;
    }

    /// @return what was there under that name
    @Nullable QueueSpec put(QueueSpec spec) {
        var before = specs.put(spec.name(), spec);
        if (!spec.equals(before)) {
            queues = null;
        }
        return before;
    }

    void removeQueue(String name) {
        specs.remove(name);
        queues = null;
    }

    QueueSpec spec(String queue) {
        return Objects.requireNonNull(specs.get(queue));
    }

    Optional<QueueSpec> find(String queue) {
        return Optional.ofNullable(specs.get(queue));
    }

    // ---- who holds quota

    void hold(Reservation reservation) {
        node(reservation.queue()).ifPresent(n -> n.hold(reservation));
        held.put(reservation.key(), reservation);
    }

    void give(Reservation reservation) {
        node(reservation.queue()).ifPresent(n -> n.release(reservation));
        held.remove(reservation.key());
    }

    @Nullable Reservation held(String key) {
        return held.get(key);
    }

    Collection<Reservation> holders(String queue) {
        return node(queue).map(n -> List.copyOf(n.reservations.values())).orElse(List.of());
    }

    // ---- nodes

    /// @return the nodes of all queues, by name
    Map<String, QuotaNode> queues() {
        var built = queues;
        if (built == null) {
            built = build();
            queues = built;
        }
        return built;
    }

    Optional<QuotaNode> node(String queue) {
        return Optional.ofNullable(queues().get(queue));
    }

    /// @return names of all queues of the cohort that a queue is in, itself included
    List<String> family(String queue) {
        return node(queue)
                .map(n -> n.family().stream().map(q -> q.name).toList())
                .orElse(List.of(queue));
    }

    private Map<String, QuotaNode> build() {
        var groups = new TreeMap<String, QuotaNode>();
        cohorts.values().forEach(c -> groups.put(c.name(), QuotaNode.of(c)));
        var found = new TreeMap<String, QuotaNode>();
        for (var spec : specs.values()) {
            var node = QuotaNode.of(spec);
            found.put(spec.name(), node);
            if (!spec.cohort().isEmpty()) {
                join(node, groups.computeIfAbsent(spec.cohort(), QuotaTree::plain));
            }
        }
        for (var cohort : cohorts.values()) {
            var node = groups.get(cohort.name());
            if (node == null || cohort.parent().isEmpty()) {
                continue;
            }
            var parent = groups.computeIfAbsent(cohort.parent(), QuotaTree::plain);
            if (!within(parent, node)) {
                join(node, parent);
            }
        }
        var roots = new HashSet<QuotaNode>();
        found.values().forEach(q -> roots.add(q.root()));
        groups.values().forEach(g -> roots.add(g.root()));
        roots.forEach(QuotaNode::sumUp);
        for (var reservation : held.values()) {
            var node = found.get(reservation.queue());
            if (node != null) {
                node.hold(reservation);
            }
        }
        return found;
    }

    private static QuotaNode plain(String cohort) {
        return QuotaNode.of(new QueueSpec.Cohort(cohort, "", Map.of(), 1000));
    }

    private static void join(QuotaNode child, QuotaNode parent) {
        child.parent = parent;
        parent.children.add(child);
    }

    /// A cohort that is its own ancestor is left without a parent.
    private static boolean within(QuotaNode node, QuotaNode other) {
        for (var at = node; at != null; at = at.parent) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    QuotaTree copy() {
        var copy = new QuotaTree();
        copy.cohorts.putAll(cohorts);
        copy.specs.putAll(specs);
        copy.held.putAll(held);
        return copy;
    }
}
