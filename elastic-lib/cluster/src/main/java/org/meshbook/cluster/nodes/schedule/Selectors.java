package org.meshbook.cluster.nodes.schedule;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// Selectors of labels, tolerations of taints.
final class Selectors {
    private Selectors() {}

    /// @param selector a labelSelector; one that is not there matches nothing
    static boolean matches(JsonNode selector, Map<String, String> labels) {
        return selector.isObject()
                && selector.path("matchLabels").properties().stream()
                        .allMatch(e -> e.getValue().asString("").equals(labels.get(e.getKey())))
                && all(selector.path("matchExpressions"), labels);
    }

    static boolean nodeFits(Resource pod, Resource node) {
        var labels = node.labels();
        boolean selected =
                pod.texts("spec", "nodeSelector").entrySet().stream()
                        .allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
        var terms =
                pod.at(
                                "spec",
                                "affinity",
                                "nodeAffinity",
                                "requiredDuringSchedulingIgnoredDuringExecution")
                        .path("nodeSelectorTerms");
        return selected
                && (!terms.isArray()
                        || terms.valueStream()
                                .anyMatch(t -> all(t.path("matchExpressions"), labels)));
    }

    private static boolean all(JsonNode expressions, Map<String, String> labels) {
        return expressions.valueStream().allMatch(e -> fits(e, labels));
    }

    private static boolean fits(JsonNode expression, Map<String, String> labels) {
        var value = labels.get(expression.path("key").asString(""));
        boolean listed =
                value != null
                        && expression
                                .path("values")
                                .valueStream()
                                .anyMatch(v -> v.asString("").equals(value));
        return switch (expression.path("operator").asString("")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> compare(value, expression) > 0;
            case "Lt" -> compare(value, expression) < 0;
            default -> false;
        };
    }

    private static int compare(@Nullable String value, JsonNode e) {
        try {
            return value == null
                    ? 0
                    : Long.compare(
                            Long.parseLong(value),
                            Long.parseLong(e.path("values").path(0).asString("")));
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }

    /// @return the node's taints that keep the pod away
    static Stream<JsonNode> untolerated(Resource pod, Resource node) {
        var tolerations = pod.list("spec", "tolerations");
        return node.list("spec", "taints").stream()
                .filter(t -> !t.path("effect").asString("").equals("PreferNoSchedule"))
                .filter(t -> tolerations.stream().noneMatch(by -> tolerates(by, t)));
    }

    private static boolean tolerates(JsonNode toleration, JsonNode taint) {
        var key = toleration.path("key").asString("");
        var effect = toleration.path("effect").asString("");
        boolean exists = toleration.path("operator").asString("Equal").equals("Exists");
        return (effect.isEmpty() || effect.equals(taint.path("effect").asString("")))
                && (key.isEmpty() ? exists : key.equals(taint.path("key").asString("")))
                && (exists
                        || toleration
                                .path("value")
                                .asString("")
                                .equals(taint.path("value").asString("")));
    }

    /// @param kind `podAffinity` or `podAntiAffinity`
    static List<JsonNode> terms(Resource pod, String kind) {
        return pod.list("spec", "affinity", kind, "requiredDuringSchedulingIgnoredDuringExecution");
    }

    /// @param term a term of a pod's affinity
    /// @param owner the pod that has it
    static boolean matches(JsonNode term, Resource owner, Resource other) {
        boolean here =
                term.has("namespaceSelector")
                        || (term.path("namespaces").isEmpty()
                                ? other.namespace().equals(owner.namespace())
                                : term.path("namespaces")
                                        .valueStream()
                                        .anyMatch(n -> n.asString("").equals(other.namespace())));
        return here && matches(term.path("labelSelector"), other.labels());
    }
}
