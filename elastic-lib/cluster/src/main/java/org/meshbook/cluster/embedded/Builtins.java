package org.meshbook.cluster.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Same;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an API server fills in and checks for the kinds that are its own: jobs, pods, priority
/// classes, config maps.
final class Builtins {
    private Builtins() {}

    static void fill(ResourceKind kind, ObjectNode json) {
        switch (kind.kind()) {
            case "Pod" -> pod(json.withObjectProperty("spec"));
            case "Job" -> job(json.withObjectProperty("spec"));
            default -> {}
        }
    }

    private static void job(ObjectNode spec) {
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1);
        }
        missing(spec, "parallelism", 1);
        missing(spec, "backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        missing(spec, "completionMode", "NonIndexed");
        missing(
                spec,
                "podReplacementPolicy",
                spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        for (var flag : List.of("suspend", "manualSelector")) {
            if (!spec.has(flag)) {
                spec.put(flag, false);
            }
        }
        pod(spec.withObjectProperty("template").withObjectProperty("spec"));
    }

    /// A Job means the pods that carry its uid, unless it says otherwise.
    ///
    /// @param job a Job that has its uid
    static void select(ObjectNode job) {
        var spec = job.withObjectProperty("spec");
        if (!spec.path("manualSelector").asBoolean(false) && !spec.has("selector")) {
            spec.putObject("selector")
                    .putObject("matchLabels")
                    .put(
                            "batch.kubernetes.io/controller-uid",
                            job.path("metadata").path("uid").asString(""));
        }
    }

    private static void pod(ObjectNode spec) {
        missing(spec, "restartPolicy", "Always");
        missing(spec, "terminationGracePeriodSeconds", 30);
        missing(spec, "dnsPolicy", "ClusterFirst");
        missing(spec, "schedulerName", "default-scheduler");
        spec.withObjectProperty("securityContext");
        for (var field : List.of("initContainers", "containers")) {
            for (var container : spec.path(field).values()) {
                if (container instanceof ObjectNode object) {
                    container(object);
                }
            }
        }
    }

    private static void container(ObjectNode container) {
        var image = container.path("image").asString("");
        var name = image.substring(image.lastIndexOf('/') + 1);
        boolean latest = !name.contains(":") || name.endsWith(":latest");
        missing(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent");
        missing(container, "terminationMessagePath", "/dev/termination-log");
        missing(container, "terminationMessagePolicy", "File");
        var resources = container.withObjectProperty("resources");
        if (resources.get("limits") instanceof ObjectNode limits && !limits.isEmpty()) {
            var requests = resources.withObjectProperty("requests");
            limits.properties()
                    .forEach(
                            limit -> {
                                if (!requests.has(limit.getKey())) {
                                    requests.set(limit.getKey(), limit.getValue());
                                }
                            });
        }
    }

    private static void missing(ObjectNode object, String field, String value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    private static void missing(ObjectNode object, String field, int value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    /// @return what is wrong beyond the schema
    static List<Cause> check(Resource object, Optional<Resource> before) {
        var causes = new ArrayList<Cause>();
        switch (object.text("kind")) {
            case "Job" -> checkJob(object, before, causes);
            case "Pod" -> checkContainers(object.at("spec"), "spec", causes);
            case "PriorityClass" ->
                    before.ifPresent(
                            was -> {
                                same(object, was, causes, "value");
                                same(object, was, causes, "preemptionPolicy");
                            });
            case "ConfigMap" -> before.ifPresent(was -> checkFrozen(object, was, causes));
            default -> {}
        }
        return causes;
    }

    private static void checkJob(Resource job, Optional<Resource> before, List<Cause> causes) {
        checkContainers(job.at("spec", "template", "spec"), "spec.template.spec", causes);
        var restart = job.text("spec", "template", "spec", "restartPolicy");
        var path = "spec.template.spec.restartPolicy";
        if (restart.equals("Always")) {
            causes.add(
                    new Cause(
                            "FieldValueRequired",
                            path,
                            "Required value: valid values: \"OnFailure\", \"Never\""));
        } else if (!Set.of("OnFailure", "Never").contains(restart)) {
            causes.add(
                    new Cause(
                            "FieldValueNotSupported",
                            path,
                            "Unsupported value: \"%s\": supported values: \"OnFailure\", \"Never\""
                                    .formatted(restart)));
        }
        if (job.text("spec", "completionMode").equals("Indexed") && !has(job, "completions")) {
            causes.add(
                    new Cause(
                            "FieldValueRequired",
                            "spec.completions",
                            "Required value: when completion mode is Indexed"));
        }
        before.ifPresent(was -> checkJobChange(job, was, causes));
    }

    private static boolean has(Resource job, String field) {
        return !job.at("spec", field).isMissingNode();
    }

    /// A job that is suspended and did not start yet may be moved to other nodes; nothing else of
    /// its template may change.
    private static void checkJobChange(Resource job, Resource was, List<Cause> causes) {
        for (var field : List.of("completionMode", "selector", "manualSelector", "managedBy")) {
            immutable(job.at("spec", field), was.at("spec", field), "spec." + field, causes);
        }
        boolean grows =
                job.text("spec", "completionMode").equals("Indexed")
                        && job.at("spec", "completions").equals(job.at("spec", "parallelism"));
        if (!grows) {
            immutable(
                    job.at("spec", "completions"),
                    was.at("spec", "completions"),
                    "spec.completions",
                    causes);
        }
        boolean movable =
                was.at("spec", "suspend").asBoolean(false)
                        && was.at("status", "startTime").isMissingNode();
        var now = job.at("spec", "template");
        var then = was.at("spec", "template");
        immutable(
                movable ? fixed(now) : now, movable ? fixed(then) : then, "spec.template", causes);
    }

    private static JsonNode fixed(JsonNode template) {
        if (!(template.deepCopy() instanceof ObjectNode copy)) {
            return template;
        }
        copy.remove("metadata");
        copy.withObjectProperty("spec")
                .remove(List.of("affinity", "nodeSelector", "schedulingGates", "tolerations"));
        return copy;
    }

    private static void immutable(JsonNode now, JsonNode was, String path, List<Cause> causes) {
        if (!Same.both(now, was)) {
            causes.add(
                    new Cause(
                            "FieldValueInvalid",
                            path,
                            "Invalid value: %s: field is immutable"
                                    .formatted(now.isMissingNode() ? "null" : now)));
        }
    }

    private static void same(Resource now, Resource was, List<Cause> causes, String field) {
        if (!Same.both(now.json().get(field), was.json().get(field))) {
            causes.add(
                    new Cause(
                            "FieldValueForbidden",
                            field,
                            "Forbidden: may not be changed in an update."));
        }
    }

    private static void checkFrozen(Resource map, Resource was, List<Cause> causes) {
        if (!was.at("immutable").asBoolean(false)) {
            return;
        }
        for (var field : List.of("data", "binaryData", "immutable")) {
            if (!Objects.equals(map.json().get(field), was.json().get(field))) {
                causes.add(
                        new Cause(
                                "FieldValueForbidden",
                                field,
                                "Forbidden: field is immutable when `immutable` is set"));
            }
        }
    }

    private static void checkContainers(JsonNode spec, String path, List<Cause> causes) {
        var containers = spec.path("containers");
        if (containers.isArray() && containers.isEmpty()) {
            causes.add(new Cause("FieldValueRequired", path + ".containers", "Required value"));
        }
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).path("image").asString("").isEmpty()) {
                causes.add(
                        new Cause(
                                "FieldValueRequired",
                                "%s.containers[%d].image".formatted(path, i),
                                "Required value"));
            }
        }
    }
}
