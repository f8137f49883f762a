package org.meshbook.cluster.kueue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Same;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes the Workload of a job and tells whether it still is that of the job.
final class WorkloadMaker {
    /// What admission puts into a template; the rest tells whether two are the same.
    private static final List<String> INJECTED =
            List.of("nodeSelector", "tolerations", "schedulingGates");

    private final Cluster cluster;
    private final JobKind jobs;

    private record Priority(int value, String group, String kind, String name) {}

    WorkloadMaker(Cluster cluster, JobKind jobs) {
        this.cluster = cluster;
        this.jobs = jobs;
    }

    /// @param replaced the workload whose place it is to take
    /// @throws ApiException if its priority class is missing
    Resource make(Resource job, boolean elastic, @Nullable Resource replaced, String queue) {
        var priority = priority(job);
        return Resource.named(Kinds.WORKLOAD, job.namespace(), Workloads.name(job, elastic))
                .with(
                        json -> {
                            var metadata = json.withObjectProperty("metadata");
                            metadata.putObject("labels").put(Marks.JOB_UID, job.uid());
                            annotate(metadata, job, elastic, replaced);
                            metadata.putArray("finalizers").add(Marks.IN_USE);
                            Owners.put(json, job);
                            var spec = json.putObject("spec");
                            spec.put("active", true).put("queueName", queue);
                            put(spec, priority);
                            putPodSets(spec, job);
                            putLimit(spec, job);
                        });
    }

    private static void annotate(
            ObjectNode metadata, Resource job, boolean elastic, @Nullable Resource replaced) {
        var annotations = metadata.putObject("annotations");
        job.annotations().entrySet().stream()
                .filter(e -> e.getKey().startsWith(Marks.PROVISIONING))
                .forEach(e -> annotations.put(e.getKey(), e.getValue()));
        if (elastic) {
            annotations.put(Marks.ELASTIC, "true");
        }
        if (replaced != null) {
            annotations.put(Marks.REPLACES, Workloads.id(replaced));
            var first = replaced.annotations().getOrDefault(Marks.SLICE_NAME, replaced.name());
            annotations.put(Marks.SLICE_NAME, first);
        }
        if (annotations.isEmpty()) {
            metadata.remove("annotations");
        }
    }

    private static void put(ObjectNode spec, Priority priority) {
        spec.put("priority", priority.value());
        if (!priority.name().isEmpty()) {
            spec.putObject("priorityClassRef")
                    .put("group", priority.group())
                    .put("kind", priority.kind())
                    .put("name", priority.name());
        }
    }

    private void putPodSets(ObjectNode spec, Resource job) {
        var podSets = spec.putArray("podSets");
        for (var pods : jobs.pods(job)) {
            var podSet = podSets.addObject().put("name", pods.name()).put("count", pods.count());
            if (pods.least() < pods.count()) {
                podSet.put("minCount", pods.least());
            }
            podSet.set("template", pods.template().deepCopy());
        }
    }

    private static void putLimit(ObjectNode spec, Resource job) {
        var limit = job.labels().getOrDefault(Marks.MAX_EXEC_TIME, "");
        if (!limit.isEmpty()) {
            spec.put("maximumExecutionTimeSeconds", Integer.parseInt(limit));
        }
    }

    // ---- priority

    void putPriority(ObjectNode spec, Resource job) {
        put(spec, priority(job));
    }

    private Priority priority(Resource job) {
        var label = job.labels().getOrDefault(Marks.PRIORITY_CLASS, "");
        if (!label.isEmpty()) {
            var found =
                    cluster.find(Kinds.WORKLOAD_PRIORITY_CLASS.key("", label))
                            .orElseThrow(
                                    () ->
                                            ApiException.notFound(
                                                    new ResourceKind(
                                                            "kueue.x-k8s.io",
                                                            "v1beta2",
                                                            "WorkloadPriorityClass",
                                                            "WorkloadPriorityClass",
                                                            List.of(),
                                                            false),
                                                    label));
            return new Priority(
                    found.at("value").asInt(0), "kueue.x-k8s.io", "WorkloadPriorityClass", label);
        }
        return jobs.pods(job).stream()
                .map(p -> Specs.text(p.template().path("spec"), "priorityClassName"))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .map(this::podPriority)
                .or(this::globalDefault)
                .orElse(new Priority(0, "", "", ""));
    }

    private Priority podPriority(String name) {
        int value =
                switch (name) {
                    case "system-node-critical" -> 2_000_001_000;
                    case "system-cluster-critical" -> 2_000_000_000;
                    default -> {
                        var key = Kinds.PRIORITY_CLASS.key("", name);
                        yield cluster.find(key)
                                .orElseThrow(
                                        () -> ApiException.notFound(Kinds.PRIORITY_CLASS, name))
                                .at("value")
                                .asInt(0);
                    }
                };
        return new Priority(value, "scheduling.k8s.io", "PriorityClass", name);
    }

    private Optional<Priority> globalDefault() {
        return cluster.list(Kinds.PRIORITY_CLASS, "").stream()
                .filter(c -> c.at("globalDefault").asBoolean(false))
                .min(Comparator.comparingInt(c -> c.at("value").asInt(0)))
                .map(
                        c ->
                                new Priority(
                                        c.at("value").asInt(0),
                                        "scheduling.k8s.io",
                                        "PriorityClass",
                                        c.name()));
    }

    // ---- the same or not

    boolean fits(Resource workload, Resource job) {
        var pods = jobs.pods(job);
        var podSets = workload.list("spec", "podSets");
        if (pods.size() != podSets.size()) {
            return false;
        }
        var admitted = new LinkedHashMap<String, Integer>();
        workload.list("status", "admission", "podSetAssignments")
                .forEach(a -> admitted.put(Specs.text(a, "name"), a.path("count").asInt(1)));
        boolean running = !jobs.suspended(job);
        for (int i = 0; i < pods.size(); i++) {
            var podSet = podSets.get(i);
            int count = podSet.path("count").asInt(1);
            int expected =
                    running && podSet.has("minCount")
                            ? admitted.getOrDefault(pods.get(i).name(), count)
                            : count;
            boolean same =
                    pods.get(i).name().equals(Specs.text(podSet, "name"))
                            && pods.get(i).count() == expected
                            && Same.both(
                                    core(pods.get(i).template()), core(podSet.path("template")));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode core(JsonNode template) {
        var spec = template.path("spec").deepCopy();
        if (spec instanceof ObjectNode object) {
            object.remove(INJECTED);
        }
        return spec;
    }

    // ---- smaller

    boolean shrinks(Resource workload, Map<String, Integer> wanted) {
        boolean less = false;
        for (var podSet : workload.list("spec", "podSets")) {
            int count = podSet.path("count").asInt(1);
            int now = wanted.getOrDefault(Specs.text(podSet, "name"), count);
            if (now > count) {
                return false;
            }
            less |= now < count;
        }
        return less;
    }

    void shrinkSpec(ObjectNode workload, Map<String, Integer> wanted) {
        for (var podSet : workload.path("spec").path("podSets")) {
            wanted.computeIfPresent(
                    Specs.text(podSet, "name"),
                    (_, count) -> {
                        ((ObjectNode) podSet).put("count", count);
                        return count;
                    });
        }
    }

    void shrinkAdmission(ObjectNode workload, Map<String, Integer> wanted) {
        for (var podSet : workload.path("status").path("admission").path("podSetAssignments")) {
            int before = Math.max(1, podSet.path("count").asInt(1));
            int count = wanted.getOrDefault(Specs.text(podSet, "name"), before);
            ((ObjectNode) podSet).put("count", count);
            if (podSet.path("resourceUsage") instanceof ObjectNode usage) {
                for (var e : List.copyOf(usage.properties())) {
                    usage.put(e.getKey(), scaled(e.getValue().asString("0"), count, before));
                }
            }
        }
    }

    private static String scaled(String quantity, int count, int before) {
        var all = Quantity.parse(quantity);
        var one =
                new Quantity(
                        all.amount().divide(BigDecimal.valueOf(before), 9, RoundingMode.HALF_EVEN),
                        all.form());
        return one.times(count).toString();
    }
}
