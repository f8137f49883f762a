package org.meshbook.cluster.jobs.batch;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// A Job's podFailurePolicy: the first rule that fits a failed pod says what its failure means.
final class FailureRules {
    private FailureRules() {}

    /// @param action `FailJob`, `Ignore`, `Count` or `FailIndex`
    /// @param message why, as the Job's condition says it
    record Verdict(String action, String message) {}

    private static final Verdict COUNT = new Verdict("Count", "");

    static Verdict of(List<JsonNode> rules, Resource pod) {
        for (int i = 0; i < rules.size(); i++) {
            var rule = rules.get(i);
            var action = rule.path("action").asString("");
            var end = " matching %s rule at index %d".formatted(action, i);
            var fits =
                    rule.has("onExitCodes")
                            ? exitCode(rule.path("onExitCodes"), pod)
                            : condition(rule.path("onPodConditions"), pod);
            if (fits.isPresent()) {
                return new Verdict(action, fits.get() + end);
            }
        }
        return COUNT;
    }

    private static Optional<String> exitCode(JsonNode rule, Resource pod) {
        var name = rule.path("containerName").asString("");
        boolean in = rule.path("operator").asString("").equals("In");
        return Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(list -> pod.list("status", list).stream())
                .filter(c -> name.isEmpty() || c.path("name").asString("").equals(name))
                .filter(
                        c -> {
                            int code = code(c);
                            return code != 0
                                    && rule.path("values")
                                                    .valueStream()
                                                    .anyMatch(v -> v.asInt() == code)
                                            == in;
                        })
                .map(
                        c ->
                                "Container %s for pod %s failed with exit code %d"
                                        .formatted(
                                                c.path("name").asString(""),
                                                pod.key().path(),
                                                code(c)))
                .findFirst();
    }

    private static int code(JsonNode container) {
        return container.path("state").path("terminated").path("exitCode").asInt(0);
    }

    private static Optional<String> condition(JsonNode patterns, Resource pod) {
        return patterns.valueStream()
                .filter(
                        p ->
                                pod.condition(p.path("type").asString(""))
                                        .filter(
                                                c ->
                                                        c.path("status")
                                                                .asString("")
                                                                .equals(
                                                                        p.path("status")
                                                                                .asString("True")))
                                        .isPresent())
                .map(
                        p ->
                                "Pod %s has condition %s"
                                        .formatted(pod.key().path(), p.path("type").asString("")))
                .findFirst();
    }
}
