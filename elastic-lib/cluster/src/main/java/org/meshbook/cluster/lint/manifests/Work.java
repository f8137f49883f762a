package org.meshbook.cluster.lint.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;

/// A job of whatever kind, and the pods that it makes.
///
/// @param item the job
/// @param pods its pods
record Work(Item item, List<PodSet> pods) {
    static final String QUEUE = "kueue.x-k8s.io/queue-name";
    static final String PRIORITY = "kueue.x-k8s.io/priority-class";

    static Stream<Work> in(Subject subject) {
        return subject.items().flatMap(item -> of(item).stream());
    }

    static Optional<Work> of(Item item) {
        if (item.is(Kinds.JOB)) {
            return Optional.of(new Work(item, List.of(job("main", 1, item.at("spec")))));
        }
        if (item.is(Kinds.JOB_SET)) {
            return Optional.of(new Work(item, jobSet(item)));
        }
        if (item.is(Kinds.RAY_JOB)) {
            return Optional.of(new Work(item, ray(item.at("spec", "rayClusterSpec"))));
        }
        if (item.is(Kinds.RAY_CLUSTER)) {
            return Optional.of(new Work(item, ray(item.at("spec"))));
        }
        if (item.is(Kinds.POD)) {
            var root = item.document().root();
            return Optional.of(new Work(item, List.of(new PodSet("main", 1, root))));
        }
        return Optional.empty();
    }

    private static PodSet job(String name, long replicas, Value spec) {
        long parallel = spec.at("parallelism").number(1);
        long pods = Math.min(parallel, spec.at("completions").number(parallel));
        return new PodSet(name, replicas * pods, spec.at("template"));
    }

    private static List<PodSet> jobSet(Item item) {
        return item.at("spec", "replicatedJobs").items().stream()
                .map(
                        job ->
                                job(
                                        job.at("name").text(),
                                        job.at("replicas").number(1),
                                        job.at("template", "spec")))
                .toList();
    }

    private static List<PodSet> ray(Value cluster) {
        var sets = new ArrayList<PodSet>();
        sets.add(new PodSet("head", 1, cluster.at("headGroupSpec", "template")));
        for (var group : cluster.at("workerGroupSpecs").items()) {
            long pods = group.at("replicas").number(1) * group.at("numOfHosts").number(1);
            sets.add(new PodSet(group.at("groupName").text(), pods, group.at("template")));
        }
        return sets;
    }

    /// @param kueue the release: older ones honour the annotation
    /// @return the LocalQueue that it is in; `""` if it is in none
    String queue(Profile kueue) {
        var label = item.at("metadata", "labels", QUEUE).text();
        return label.isEmpty() && kueue == Profile.V0_14 ? annotatedQueue() : label;
    }

    /// @return the LocalQueue that it means, however it says so
    String meantQueue() {
        var label = item.at("metadata", "labels", QUEUE).text();
        return label.isEmpty() ? annotatedQueue() : label;
    }

    private String annotatedQueue() {
        return item.at("metadata", "annotations", QUEUE).text();
    }

    Quantity total(String resource) {
        return pods.stream().map(p -> p.total(resource)).reduce(Quantity.ZERO, Quantity::plus);
    }

    /// @return the priority class that its pods name; `""` if they name none
    String priorityClass() {
        return pods.stream()
                .map(p -> p.spec().at("priorityClassName").text())
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// @return its priority, as far as the classes that are linted with it tell
    long priority(Subject subject) {
        var ofQueue = item.at("metadata", "labels", PRIORITY).text();
        return ofQueue.isEmpty()
                ? value(subject, Kinds.PRIORITY_CLASS, priorityClass())
                : value(subject, Kinds.WORKLOAD_PRIORITY_CLASS, ofQueue);
    }

    private static long value(
            Subject subject, org.meshbook.cluster.ResourceKind kind, String name) {
        return subject.items(kind)
                .filter(
                        c ->
                                name.isEmpty()
                                        ? c.at("globalDefault").isTrue()
                                        : c.name().equals(name))
                .mapToLong(c -> c.at("value").number(0))
                .findFirst()
                .orElse(0);
    }
}
