package org.meshbook.cluster.kueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Puts what admission decided into a job and lets it run; takes it out again.
final class Starter {
    private static final List<String> META = List.of("labels", "annotations");
    private static final List<String> SPEC =
            List.of("nodeSelector", "tolerations", "schedulingGates");

    private final Cluster cluster;
    private final JobKind jobs;
    private final Rules rules;
    private final Writer writer;

    Starter(Cluster cluster, JobKind jobs, Rules rules) {
        this.cluster = cluster;
        this.jobs = jobs;
        this.rules = rules;
        writer = new Writer(cluster);
    }

    /// What is put into one pod set's template.
    private record Injection(
            Map<String, String> labels,
            Map<String, String> annotations,
            Map<String, String> nodeSelector,
            List<JsonNode> tolerations,
            boolean gated) {}

    /// @return what stands against it for good; `""` if it was started
    String start(Resource job, Resource workload) {
        var injections = new LinkedHashMap<String, Injection>();
        var counts = new LinkedHashMap<String, Integer>();
        for (var podSet : workload.list("status", "admission", "podSetAssignments")) {
            var name = Specs.text(podSet, "name");
            counts.put(name, podSet.path("count").asInt(1));
            injections.put(name, injection(workload, podSet, name));
        }
        var trial = job.json().deepCopy();
        for (var e : injections.entrySet()) {
            var conflict =
                    jobs.template(trial, e.getKey()).map(t -> conflict(t, e.getValue())).orElse("");
            if (!conflict.isEmpty()) {
                return conflict;
            }
        }
        writer.object(
                job.key(),
                json -> {
                    injections.forEach(
                            (name, i) -> jobs.template(json, name).ifPresent(t -> inject(t, i)));
                    jobs.resize(json, counts);
                    jobs.suspend(json, false);
                });
        return "";
    }

    private Injection injection(Resource workload, JsonNode podSet, String name) {
        var labels = new LinkedHashMap<String, String>();
        labels.put(Marks.POD_SET, name);
        if (rules.queueLabels()) {
            labels.put(
                    Marks.CLUSTER_QUEUE_LABEL,
                    workload.text("status", "admission", "clusterQueue"));
            labels.put(Marks.LOCAL_QUEUE_LABEL, workload.text("spec", "queueName"));
        }
        var annotations = new LinkedHashMap<String, String>();
        boolean gated = workload.annotations().containsKey(Marks.ELASTIC);
        if (gated || jobs.stopsByDeletion()) {
            annotations.put(Marks.WORKLOAD, workload.name());
        }
        if (gated) {
            annotations.put(
                    Marks.SLICE_NAME,
                    workload.annotations().getOrDefault(Marks.SLICE_NAME, workload.name()));
        }
        var selector = new LinkedHashMap<String, String>();
        var tolerations = new ArrayList<JsonNode>();
        podSet.path("flavors").values().stream()
                .map(f -> f.asString(""))
                .distinct()
                .flatMap(f -> cluster.find(Kinds.RESOURCE_FLAVOR.key("", f)).stream())
                .forEach(
                        flavor -> {
                            selector.putAll(flavor.texts("spec", "nodeLabels"));
                            tolerations.addAll(flavor.list("spec", "tolerations"));
                        });
        for (var check : workload.list("status", "admissionChecks")) {
            for (var update : check.path("podSetUpdates").values()) {
                if (Specs.text(update, "name").equals(name)) {
                    labels.putAll(texts(update.path("labels")));
                    annotations.putAll(texts(update.path("annotations")));
                    selector.putAll(texts(update.path("nodeSelector")));
                    tolerations.addAll(List.copyOf(update.path("tolerations").values()));
                }
            }
        }
        return new Injection(labels, annotations, selector, tolerations, gated);
    }

    private static Map<String, String> texts(JsonNode map) {
        var texts = new LinkedHashMap<String, String>();
        map.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asString("")));
        return texts;
    }

    private static String conflict(ObjectNode template, Injection injection) {
        var there = texts(template.path("spec").path("nodeSelector"));
        for (var e : injection.nodeSelector().entrySet()) {
            var value = there.getOrDefault(e.getKey(), e.getValue());
            if (!value.equals(e.getValue())) {
                return "invalid podset infos: conflict for nodeSelector: conflict for %s: %s and %s"
                        .formatted(e.getKey(), value, e.getValue());
            }
        }
        return "";
    }

    private static void inject(ObjectNode template, Injection injection) {
        var metadata = template.withObjectProperty("metadata");
        injection.labels().forEach(metadata.withObjectProperty("labels")::put);
        if (!injection.annotations().isEmpty()) {
            injection.annotations().forEach(metadata.withObjectProperty("annotations")::put);
        }
        var spec = template.withObjectProperty("spec");
        if (!injection.nodeSelector().isEmpty()) {
            injection.nodeSelector().forEach(spec.withObjectProperty("nodeSelector")::put);
        }
        for (var toleration : injection.tolerations()) {
            var list = spec.withArrayProperty("tolerations");
            if (list.values().stream().noneMatch(toleration::equals)) {
                list.add(toleration.deepCopy());
            }
        }
        if (injection.gated()) {
            var gates = spec.withArrayProperty("schedulingGates");
            if (gates.values().stream().noneMatch(Starter::gate)) {
                gates.addObject().put("name", Marks.ELASTIC);
            }
        }
    }

    private static boolean gate(JsonNode gate) {
        return Specs.text(gate, "name").equals(Marks.ELASTIC);
    }

    /// Suspends a job and gives its templates back what they had. A Job's templates may be changed
    /// only before its first start, so that is undone in between.
    void stop(Resource job, Resource workload) {
        if (jobs.stopsByDeletion()) {
            cluster.delete(job.key(), Propagation.BACKGROUND);
            return;
        }
        writer.object(job.key(), json -> jobs.suspend(json, true));
        if (job.key().kind().equals(Kinds.JOB)) {
            writer.status(job.key(), json -> json.withObjectProperty("status").remove("startTime"));
        }
        writer.object(
                job.key(),
                json -> {
                    var counts = new LinkedHashMap<String, Integer>();
                    for (var podSet : workload.list("spec", "podSets")) {
                        counts.put(Specs.text(podSet, "name"), podSet.path("count").asInt(1));
                        jobs.template(json, Specs.text(podSet, "name"))
                                .ifPresent(t -> restore(t, podSet.path("template")));
                    }
                    jobs.resize(json, counts);
                });
    }

    private static void restore(ObjectNode template, JsonNode original) {
        copy(template.withObjectProperty("metadata"), original.path("metadata"), META);
        copy(template.withObjectProperty("spec"), original.path("spec"), SPEC);
        if (template.path("metadata").isEmpty() && !original.has("metadata")) {
            template.remove("metadata");
        }
    }

    private static void copy(ObjectNode target, JsonNode source, List<String> fields) {
        for (var field : fields) {
            var value = source.get(field);
            if (value == null) {
                target.remove(field);
            } else {
                target.set(field, value.deepCopy());
            }
        }
    }

    /// Lets the pods of an elastic job be scheduled, now that there is quota for them.
    void ungate(Resource job, Resource workload) {
        if (!workload.annotations().containsKey(Marks.ELASTIC)) {
            return;
        }
        var counts = new LinkedHashMap<String, Integer>();
        for (var podSet : workload.list("status", "admission", "podSetAssignments")) {
            counts.put(Specs.text(podSet, "name"), podSet.path("count").asInt(1));
        }
        for (var pod : pods(job)) {
            var podSet = pod.labels().getOrDefault(Marks.POD_SET, "");
            boolean gated = pod.list("spec", "schedulingGates").stream().anyMatch(Starter::gate);
            boolean over = List.of("Succeeded", "Failed").contains(pod.text("status", "phase"));
            if (over || pod.deleting()) {
                continue;
            }
            int left = counts.merge(podSet, -1, Integer::sum);
            if (gated && left >= 0) {
                writer.object(
                        pod.key(),
                        json -> {
                            var spec = json.withObjectProperty("spec");
                            var rest =
                                    pod.list("spec", "schedulingGates").stream()
                                            .filter(g -> !gate(g))
                                            .toList();
                            spec.putArray("schedulingGates").addAll(rest);
                        });
            }
        }
    }

    /// Pods that are not held come first: they count against the quota already.
    private List<Resource> pods(Resource job) {
        var owners = new ArrayList<Resource>(List.of(job));
        owners.addAll(cluster.ownedBy(job, Kinds.JOB));
        owners.addAll(cluster.ownedBy(job, Kinds.RAY_CLUSTER));
        return owners.stream()
                .flatMap(o -> cluster.ownedBy(o, Kinds.POD).stream())
                .sorted(
                        Comparator.comparing(
                                        (Resource p) -> p.list("spec", "schedulingGates").size())
                                .thenComparing(Resource::name))
                .toList();
    }
}
