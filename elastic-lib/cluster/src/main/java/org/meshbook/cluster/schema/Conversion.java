package org.meshbook.cluster.schema;

import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns Kueue's objects of `v1beta1` into those of `v1beta2`, which are kept, and back.
public final class Conversion {
    private static final String OLD = "kueue.x-k8s.io/v1beta1";
    private static final String NEW = "kueue.x-k8s.io/v1beta2";

    /// Old names of what a search for flavors may do; both mean `MayStopSearch`.
    private static final Map<String, String> OLD_WORDS =
            Map.of("whenCanBorrow", "Borrow", "whenCanPreempt", "Preempt");

    /// The old name is upstream's slip of the pen.
    private static final String PAST_OLD = "accumulatedPastExexcutionTimeSeconds";

    private static final String PAST = "accumulatedPastExecutionTimeSeconds";
    private static final String QUEUES = "kueue.x-k8s.io";
    private static final String STOP = "MayStopSearch";
    private static final String CHECKS = "admissionChecks";
    private static final String STRATEGY = "admissionChecksStrategy";

    private Conversion() {}

    /// @param object an object in any version
    /// @return it, in the version in which it is kept; itself if it is
    public static Resource kept(Resource object) {
        if (!object.text("apiVersion").equals(OLD)) {
            var kept = Kinds.kept(object.kind()).apiVersion();
            return object.text("apiVersion").equals(kept)
                    ? object
                    : object.with(json -> json.put("apiVersion", kept));
        }
        return object.with(
                json -> {
                    json.put("apiVersion", NEW);
                    var spec = json.path("spec") instanceof ObjectNode s ? s : null;
                    var status = json.path("status") instanceof ObjectNode s ? s : null;
                    switch (json.path("kind").asString("")) {
                        case "ClusterQueue" -> clusterQueueToNew(spec);
                        case "LocalQueue" -> localQueueToNew(status);
                        case "Workload" -> workloadToNew(spec, status);
                        case "AdmissionCheck" -> remove(spec, "retryDelayMinutes");
                        default -> {}
                    }
                });
    }

    /// @param object an object as it is kept
    /// @param apiVersion version that is asked for
    /// @param profile which Kueue
    /// @return it, in that version
    public static Resource in(Resource object, String apiVersion, Profile profile) {
        if (object.text("apiVersion").equals(apiVersion)) {
            return object;
        }
        return object.with(
                json -> {
                    json.put("apiVersion", apiVersion);
                    if (!apiVersion.equals(OLD)) {
                        return;
                    }
                    var spec = json.path("spec") instanceof ObjectNode s ? s : null;
                    var status = json.path("status") instanceof ObjectNode s ? s : null;
                    switch (json.path("kind").asString("")) {
                        case "ClusterQueue" -> clusterQueueToOld(spec, profile);
                        case "LocalQueue" -> rename(status, "flavorsUsage", "flavorUsage");
                        case "Workload" -> workloadToOld(spec, status);
                        default -> {}
                    }
                });
    }

    private static void clusterQueueToNew(@Nullable ObjectNode spec) {
        if (spec == null) {
            return;
        }
        rename(spec, "cohort", "cohortName");
        if (spec.remove(CHECKS) instanceof ArrayNode names && !names.isEmpty()) {
            var list = spec.withObjectProperty(STRATEGY).putArray(CHECKS);
            names.values().forEach(name -> list.addObject().set("name", name));
        }
        words(spec, true);
    }

    private static void clusterQueueToOld(@Nullable ObjectNode spec, Profile profile) {
        if (spec == null) {
            return;
        }
        rename(spec, "cohortName", "cohort");
        if (profile != Profile.V0_14) {
            return;
        }
        words(spec, false);
        var checks = spec.path(STRATEGY).path(CHECKS).values();
        if (!checks.isEmpty() && checks.stream().noneMatch(c -> c.has("onFlavors"))) {
            spec.remove(STRATEGY);
            var names = spec.putArray(CHECKS);
            checks.forEach(check -> names.add(check.get("name")));
        }
    }

    private static void words(ObjectNode spec, boolean toNew) {
        if (!(spec.get("flavorFungibility") instanceof ObjectNode search)) {
            return;
        }
        OLD_WORDS.forEach(
                (field, old) -> {
                    var from = toNew ? old : STOP;
                    if (search.path(field).asString("").equals(from)) {
                        search.put(field, toNew ? STOP : old);
                    }
                });
    }

    private static void localQueueToNew(@Nullable ObjectNode status) {
        rename(status, "flavorUsage", "flavorsUsage");
        remove(status, "flavors");
    }

    private static void workloadToNew(@Nullable ObjectNode spec, @Nullable ObjectNode status) {
        if (spec != null) {
            var name = spec.remove("priorityClassName");
            var source = spec.remove("priorityClassSource");
            if (name != null && source != null && !source.asString("").isEmpty()) {
                boolean queues = source.asString().startsWith(QUEUES);
                spec.putObject("priorityClassRef")
                        .put("group", queues ? QUEUES : "scheduling.k8s.io")
                        .put("kind", queues ? "WorkloadPriorityClass" : "PriorityClass")
                        .set("name", name);
            }
        }
        rename(status, PAST_OLD, PAST);
        assignments(status, Topologies::slices);
    }

    private static void workloadToOld(@Nullable ObjectNode spec, @Nullable ObjectNode status) {
        if (spec != null && spec.remove("priorityClassRef") instanceof ObjectNode reference) {
            var kind = reference.path("kind").asString("").toLowerCase(Locale.ROOT);
            spec.set("priorityClassName", reference.get("name"));
            spec.put("priorityClassSource", reference.path("group").asString("") + "/" + kind);
        }
        rename(status, PAST, PAST_OLD);
        assignments(status, Topologies::domains);
    }

    private static void assignments(@Nullable ObjectNode status, Consumer<ObjectNode> turn) {
        if (status == null) {
            return;
        }
        for (var set : status.path("admission").path("podSetAssignments").values()) {
            if (set.get("topologyAssignment") instanceof ObjectNode assignment) {
                turn.accept(assignment);
            }
        }
    }

    private static void rename(@Nullable ObjectNode object, String from, String to) {
        if (object != null && object.remove(from) instanceof JsonNode value) {
            object.set(to, value);
        }
    }

    private static void remove(@Nullable ObjectNode object, String field) {
        if (object != null) {
            object.remove(field);
        }
    }
}
