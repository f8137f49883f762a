package org.meshbook.cluster.jobs.batch;

import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods as a Job makes them from its template.
final class JobPods {
    private static final String VARIABLE = "JOB_COMPLETION_INDEX";

    private JobPods() {}

    /// @param job the Job
    /// @param index completion index; -1 for none
    /// @param failures how often its index failed before
    static Resource of(Resource job, int index, int failures) {
        var template = job.at("spec", "template");
        var base = index < 0 ? job.name() + "-" : job.name() + "-" + index + "-";
        return Resource.named(Kinds.POD, job.namespace(), "")
                .with(
                        pod -> {
                            var metadata = pod.withObjectProperty("metadata");
                            metadata.remove("name");
                            metadata.put("generateName", base);
                            copy(template.path("metadata").path("labels"), metadata, "labels");
                            copy(
                                    template.path("metadata").path("annotations"),
                                    metadata,
                                    "annotations");
                            metadata.putArray("finalizers").add(PodTally.FINALIZER);
                            label(metadata.withObjectProperty("labels"), job, index);
                            Owners.put(pod, job);
                            var spec = (ObjectNode) template.path("spec").deepCopy();
                            pod.set("spec", spec);
                            if (index >= 0) {
                                number(metadata, spec, job, index, failures);
                            }
                        });
    }

    private static void copy(JsonNode from, ObjectNode metadata, String field) {
        if (from.isObject()) {
            metadata.set(field, from.deepCopy());
        }
    }

    private static void label(ObjectNode labels, Resource job, int index) {
        for (var prefix : new String[] {"batch.kubernetes.io/", ""}) {
            labels.put(prefix + "controller-uid", job.uid());
            labels.put(prefix + "job-name", job.name());
        }
        if (index >= 0) {
            labels.put(PodTally.INDEX, Integer.toString(index));
        }
    }

    private static void number(
            ObjectNode metadata, ObjectNode spec, Resource job, int index, int failures) {
        var annotations = metadata.withObjectProperty("annotations");
        annotations.put(PodTally.INDEX, Integer.toString(index));
        if (!job.at("spec", "backoffLimitPerIndex").isMissingNode()) {
            annotations.put(PodTally.INDEX_FAILURES, Integer.toString(failures));
        }
        spec.put("hostname", job.name() + "-" + index);
        for (var list : new String[] {"initContainers", "containers"}) {
            spec.path(list).forEach(c -> variable((ObjectNode) c));
        }
    }

    private static void variable(ObjectNode container) {
        var env = container.withArrayProperty("env");
        for (var entry : env) {
            if (entry.path("name").asString("").equals(VARIABLE)) {
                return;
            }
        }
        env.addObject()
                .put("name", VARIABLE)
                .putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", "metadata.labels['%s']".formatted(PodTally.INDEX));
    }
}
