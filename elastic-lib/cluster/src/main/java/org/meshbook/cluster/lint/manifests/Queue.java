package org.meshbook.cluster.lint.manifests;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;
import tools.jackson.databind.JsonNode;

/// A ClusterQueue as it is written.
///
/// @param item the ClusterQueue
record Queue(Item item) {
    static Stream<Queue> in(Subject subject) {
        return subject.items(Kinds.CLUSTER_QUEUE).map(Queue::new);
    }

    /// @return the ClusterQueue of a job, if both and their LocalQueue are linted together; of
    ///   several the one beside the LocalQueue, else the last
    static Optional<Queue> of(Work work, Subject subject) {
        return subject.items(Kinds.LOCAL_QUEUE)
                .filter(q -> q.name().equals(work.meantQueue()))
                .filter(q -> q.namespace().equals(work.item().namespace()))
                .flatMap(local -> of(local, subject).stream())
                .findFirst();
    }

    private static Optional<Queue> of(Item local, Subject subject) {
        var named =
                in(subject)
                        .filter(q -> q.name().equals(local.text("spec", "clusterQueue")))
                        .toList();
        return named.stream()
                .filter(q -> q.item().source().equals(local.source()))
                .findFirst()
                .or(() -> named.isEmpty() ? Optional.empty() : Optional.of(named.getLast()));
    }

    String name() {
        return item.name();
    }

    List<Value> groups() {
        return item.at("spec", "resourceGroups").items();
    }

    /// @return the resources that a group covers; those of its flavors if it does not say
    static List<String> covered(Value group) {
        var covered = group.at("coveredResources");
        if (covered.exists()) {
            return covered.items().stream().map(Value::text).toList();
        }
        return flavorResources(group);
    }

    static List<String> flavorResources(Value group) {
        var names = new LinkedHashSet<String>();
        for (var flavor : group.at("flavors").items()) {
            flavor.at("resources").items().forEach(r -> names.add(r.at("name").text()));
        }
        return List.copyOf(names);
    }

    Set<String> covered() {
        var all = new LinkedHashSet<String>();
        groups().forEach(group -> all.addAll(covered(group)));
        return all;
    }

    Stream<Value> flavors() {
        return groups().stream().flatMap(g -> g.at("flavors").items().stream());
    }

    /// @return the quota of one resource, over all flavors
    Quantity nominal(String resource) {
        return quotas(resource)
                .map(r -> Amount.of(r.at("nominalQuota")))
                .reduce(Quantity.ZERO, Quantity::plus);
    }

    Stream<Value> quotas(String resource) {
        return flavors()
                .flatMap(f -> f.at("resources").items().stream())
                .filter(r -> r.at("name").text().equals(resource));
    }

    JsonNode quotas() {
        return item.at("spec", "resourceGroups").json();
    }

    Value preemption() {
        return item.at("spec", "preemption");
    }

    String cohort() {
        var older = item.text("spec", "cohort");
        return older.isEmpty() ? item.text("spec", "cohortName") : older;
    }

    /// @return whether this or another text gives a queue of this name a policy of its own
    boolean preemptsWithin(Subject subject) {
        return in(subject)
                .filter(q -> q.name().equals(name()))
                .map(q -> q.preemption().at("withinClusterQueue").text())
                .anyMatch(policy -> !policy.isEmpty() && !policy.equals("Never"));
    }
}
