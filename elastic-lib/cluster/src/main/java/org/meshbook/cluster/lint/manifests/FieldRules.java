package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Subject;

/// Rules about fields that the API does not have.
final class FieldRules {
    private static final Set<String> PREEMPTION =
            Set.of("withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort");

    private FieldRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "KQ002",
                        ERROR,
                        "a field that Kueue does not have",
                        "delete it; did you mean withinClusterQueue or borrowWithinCohort?",
                        FieldRules::preemption));
    }

    private static Stream<Finding> preemption(Rule rule, Subject subject) {
        return Queue.in(subject)
                .flatMap(
                        q ->
                                q.preemption().fields().entrySet().stream()
                                        .filter(e -> !PREEMPTION.contains(e.getKey()))
                                        .map(
                                                e ->
                                                        rule.at(
                                                                        q.item(),
                                                                        e.getValue(),
                                                                        "spec.preemption has no field %s"
                                                                                .formatted(
                                                                                        e.getKey()))
                                                                .verdict(
                                                                        "Error from server (BadRequest): error when creating \"%s\": ClusterQueue in version \"%s\" cannot be handled as a ClusterQueue: strict decoding error: unknown field \"spec.preemption.%s\" (with --validate=warn: Warning: unknown field; then it is dropped)"
                                                                                .formatted(
                                                                                        q.item()
                                                                                                .source()
                                                                                                .name(),
                                                                                        q.item()
                                                                                                .version(),
                                                                                        e.getKey()))
                                                                .edits(
                                                                        Texts.without(
                                                                                q.item().source(),
                                                                                e.getValue()
                                                                                        .key()))));
    }
}
