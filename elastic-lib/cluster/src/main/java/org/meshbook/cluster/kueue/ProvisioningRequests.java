package org.meshbook.cluster.kueue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The ProvisioningRequests of workloads: `WORKLOAD-CHECK-ATTEMPT`, and a template for each pod set
/// that is asked for.
final class ProvisioningRequests {
    private final Cluster cluster;

    ProvisioningRequests(Cluster cluster) {
        this.cluster = cluster;
    }

    static String name(Resource workload, String check, int attempt) {
        var full = "%s-%s-%d".formatted(workload.name(), check, attempt);
        return full.length() <= 253 ? full : Workloads.shortened(full, full);
    }

    /// Pod sets that ask for a resource that the check takes care of.
    static List<JsonNode> podSets(Resource workload, Resource config) {
        var managed = Specs.texts(config.at("spec", "managedResources"));
        return workload.list("spec", "podSets").stream()
                .filter(
                        p ->
                                managed.isEmpty()
                                        || PodRequests.of(p.path("template").path("spec"))
                                                .keySet()
                                                .stream()
                                                .anyMatch(managed::contains))
                .toList();
    }

    /// @return the request, with its templates; empty if it is there already
    Optional<Resource> ask(
            Resource workload, String check, int attempt, List<JsonNode> podSets, Resource config) {
        var name = name(workload, check, attempt);
        var counts = new LinkedHashMap<String, Integer>();
        workload.list("status", "admission", "podSetAssignments")
                .forEach(a -> counts.put(Specs.text(a, "name"), a.path("count").asInt(1)));
        var wanted =
                Resource.named(Kinds.PROVISIONING_REQUEST, workload.namespace(), name)
                        .with(
                                json -> {
                                    Owners.put(json, workload);
                                    json.withObjectProperty("metadata")
                                            .putObject("labels")
                                            .put(Marks.MANAGED, "true");
                                    putRequest(json, workload, config, podSets, counts, name);
                                });
        Resource made;
        try {
            made = cluster.create(wanted, WriteOptions.PLAIN);
        } catch (ApiException refused) {
            if (refused.code() == 409) {
                return Optional.empty();
            }
            throw refused;
        }
        for (var podSet : podSets) {
            template(workload, made, podSet);
        }
        return Optional.of(made);
    }

    private static void putRequest(
            ObjectNode json,
            Resource workload,
            Resource config,
            List<JsonNode> podSets,
            Map<String, Integer> counts,
            String name) {
        var spec = json.putObject("spec");
        spec.put("provisioningClassName", config.text("spec", "provisioningClassName"));
        var parameters = new LinkedHashMap<>(config.texts("spec", "parameters"));
        workload.annotations()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(Marks.PROVISIONING)) {
                                parameters.put(key.substring(Marks.PROVISIONING.length()), value);
                            }
                        });
        if (!parameters.isEmpty()) {
            parameters.forEach(spec.putObject("parameters")::put);
        }
        var list = spec.putArray("podSets");
        for (var podSet : podSets) {
            var set = Specs.text(podSet, "name");
            var entry = list.addObject();
            entry.put("count", counts.getOrDefault(set, podSet.path("count").asInt(1)));
            entry.putObject("podTemplateRef").put("name", templateName(name, set));
        }
    }

    private static String templateName(String request, String podSet) {
        var full = "ppt-%s-%s".formatted(request, podSet);
        return full.length() <= 253 ? full : Workloads.shortened(full, full);
    }

    /// What the pods will be: with the labels of the flavor that they got.
    private void template(Resource workload, Resource request, JsonNode podSet) {
        var set = Specs.text(podSet, "name");
        var template =
                Resource.named(
                                Kinds.POD_TEMPLATE,
                                request.namespace(),
                                templateName(request.name(), set))
                        .with(
                                json -> {
                                    Owners.put(json, request);
                                    json.set("template", podSet.path("template").deepCopy());
                                    var labels = labels(workload, set);
                                    if (!labels.isEmpty()) {
                                        labels.forEach(
                                                json.withObjectProperty("template")
                                                                .withObjectProperty("spec")
                                                                .withObjectProperty("nodeSelector")
                                                        ::put);
                                    }
                                });
        cluster.create(template, WriteOptions.PLAIN);
    }

    private Map<String, String> labels(Resource workload, String podSet) {
        var labels = new LinkedHashMap<String, String>();
        workload.list("status", "admission", "podSetAssignments").stream()
                .filter(a -> Specs.text(a, "name").equals(podSet))
                .flatMap(a -> a.path("flavors").valueStream())
                .map(f -> Kinds.RESOURCE_FLAVOR.key("", f.asString("")))
                .flatMap(key -> cluster.find(key).stream())
                .forEach(flavor -> labels.putAll(flavor.texts("spec", "nodeLabels")));
        return labels;
    }

    /// @return those of a workload's check that are there
    List<Resource> of(Resource workload, String check) {
        var prefix = workload.name() + "-" + check + "-";
        return Owners.children(cluster, workload, Kinds.PROVISIONING_REQUEST).stream()
                .filter(r -> r.name().startsWith(prefix))
                .toList();
    }

    void delete(Resource request) {
        cluster.delete(request.key(), Propagation.BACKGROUND);
    }
}
