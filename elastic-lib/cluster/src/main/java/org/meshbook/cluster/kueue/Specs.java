package org.meshbook.cluster.kueue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.Amounts;
import org.meshbook.cluster.queue.Flavor;
import org.meshbook.cluster.queue.FlavorResource;
import org.meshbook.cluster.queue.NodeRules;
import org.meshbook.cluster.queue.NodeRules.Requirement;
import org.meshbook.cluster.queue.NodeRules.Taint;
import org.meshbook.cluster.queue.NodeRules.Term;
import org.meshbook.cluster.queue.NodeRules.Toleration;
import org.meshbook.cluster.queue.QueueSpec;
import org.meshbook.cluster.queue.QueueSpec.FlavorQuota;
import org.meshbook.cluster.queue.QueueSpec.Group;
import org.meshbook.cluster.queue.QueueSpec.Policy;
import org.meshbook.cluster.queue.QueueSpec.Quota;
import tools.jackson.databind.JsonNode;

/// Reads what the rules need out of objects; the names of v1beta1 are understood too.
final class Specs {
    private Specs() {}

    static Flavor flavor(Resource object) {
        return new Flavor(
                object.name(),
                object.texts("spec", "nodeLabels"),
                object.list("spec", "nodeTaints").stream().map(Specs::taint).toList(),
                object.list("spec", "tolerations").stream().map(Specs::toleration).toList());
    }

    static QueueSpec queue(Resource object) {
        var cohort = object.text("spec", "cohortName");
        return new QueueSpec(
                object.name(),
                cohort.isEmpty() ? object.text("spec", "cohort") : cohort,
                object.list("spec", "resourceGroups").stream().map(Specs::group).toList(),
                object.text("spec", "queueingStrategy").equals("StrictFIFO"),
                fungibility(object.at("spec", "flavorFungibility")),
                preemption(object.at("spec", "preemption")),
                weight(object));
    }

    static QueueSpec.Cohort cohort(Resource object) {
        var parent = object.text("spec", "parentName");
        var quotas = new HashMap<FlavorResource, Quota>();
        for (var group : object.list("spec", "resourceGroups")) {
            for (var flavor : group(group).flavors()) {
                flavor.quotas()
                        .forEach((r, q) -> quotas.put(new FlavorResource(flavor.flavor(), r), q));
            }
        }
        return new QueueSpec.Cohort(
                object.name(),
                parent.isEmpty() ? object.text("spec", "parent") : parent,
                quotas,
                weight(object));
    }

    private static long weight(Resource object) {
        var weight = object.text("spec", "fairSharing", "weight");
        return weight.isEmpty() ? 1000 : Quantity.parse(weight).milli();
    }

    private static Group group(JsonNode node) {
        return new Group(
                texts(node.path("coveredResources")),
                node.path("flavors").values().stream().map(Specs::flavorQuota).toList());
    }

    private static FlavorQuota flavorQuota(JsonNode node) {
        var quotas = new LinkedHashMap<String, Quota>();
        for (var resource : node.path("resources").values()) {
            var name = text(resource, "name");
            quotas.put(
                    name,
                    new Quota(
                            amount(name, resource.path("nominalQuota")).orElse(0),
                            amount(name, resource.path("borrowingLimit")),
                            amount(name, resource.path("lendingLimit"))));
        }
        return new FlavorQuota(text(node, "name"), quotas);
    }

    private static OptionalLong amount(String resource, JsonNode quantity) {
        return quantity.isMissingNode() || quantity.isNull()
                ? OptionalLong.empty()
                : OptionalLong.of(Amounts.of(resource, Quantity.parse(quantity.asString())));
    }

    private static QueueSpec.Fungibility fungibility(JsonNode node) {
        return new QueueSpec.Fungibility(
                !text(node, "whenCanBorrow").equals("TryNextFlavor"),
                List.of("Preempt", "MayStopSearch").contains(text(node, "whenCanPreempt")),
                !text(node, "preference").equals("PreemptionOverBorrowing"));
    }

    private static QueueSpec.Preemption preemption(JsonNode node) {
        var borrow = node.path("borrowWithinCohort");
        var threshold = borrow.path("maxPriorityThreshold");
        return new QueueSpec.Preemption(
                policy(text(node, "withinClusterQueue")),
                policy(text(node, "reclaimWithinCohort")),
                text(borrow, "policy").equals("LowerPriority"),
                threshold.isNumber() ? OptionalInt.of(threshold.asInt()) : OptionalInt.empty());
    }

    private static Policy policy(String word) {
        return switch (word) {
            case "LowerPriority" -> Policy.LOWER_PRIORITY;
            case "LowerOrNewerEqualPriority" -> Policy.LOWER_OR_NEWER_EQUAL_PRIORITY;
            case "Any" -> Policy.ANY;
            default -> Policy.NEVER;
        };
    }

    /// @param podSpec the `spec` of a pod template
    static NodeRules rules(JsonNode podSpec) {
        var selector = new LinkedHashMap<String, String>();
        podSpec.path("nodeSelector")
                .properties()
                .forEach(e -> selector.put(e.getKey(), e.getValue().asString("")));
        var terms =
                podSpec
                        .path("affinity")
                        .path("nodeAffinity")
                        .path("requiredDuringSchedulingIgnoredDuringExecution")
                        .path("nodeSelectorTerms")
                        .values()
                        .stream()
                        .map(Specs::term)
                        .toList();
        var tolerations =
                podSpec.path("tolerations").values().stream().map(Specs::toleration).toList();
        return new NodeRules(selector, terms, tolerations);
    }

    private static Term term(JsonNode node) {
        return new Term(
                node.path("matchExpressions").values().stream()
                        .map(
                                e ->
                                        new Requirement(
                                                text(e, "key"),
                                                text(e, "operator"),
                                                texts(e.path("values"))))
                        .toList());
    }

    private static Taint taint(JsonNode node) {
        return new Taint(text(node, "key"), text(node, "value"), text(node, "effect"));
    }

    private static Toleration toleration(JsonNode node) {
        var operator = text(node, "operator");
        return new Toleration(
                text(node, "key"),
                operator.isEmpty() ? "Equal" : operator,
                text(node, "value"),
                text(node, "effect"));
    }

    static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    static List<String> texts(JsonNode list) {
        return list.values().stream().map(n -> n.asString("")).toList();
    }

    /// @param selector a label selector
    /// @param labels what it is held against
    static boolean selects(JsonNode selector, Map<String, String> labels) {
        if (selector.isMissingNode() || selector.isNull()) {
            return false;
        }
        boolean equal =
                selector.path("matchLabels").properties().stream()
                        .allMatch(e -> e.getValue().asString("").equals(labels.get(e.getKey())));
        return equal
                && selector.path("matchExpressions").values().stream()
                        .allMatch(e -> holds(e, labels));
    }

    private static boolean holds(JsonNode requirement, Map<String, String> labels) {
        var key = text(requirement, "key");
        boolean there = labels.containsKey(key);
        boolean listed = there && texts(requirement.path("values")).contains(labels.get(key));
        return switch (text(requirement, "operator")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> there;
            case "DoesNotExist" -> !there;
            default -> false;
        };
    }
}
