package org.meshbook.cluster.lint.manifests;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.meshbook.cluster.lint.rule.Rule;

/// All rules about manifests.
public final class RuleBook {
    private static final List<Rule> RULES =
            Stream.of(
                            QueueRules.all(),
                            SchemaRules.all(),
                            AdmissionRules.all(),
                            TextRules.all(),
                            JobRules.all(),
                            RayRules.all(),
                            CapacityRules.all())
                    .flatMap(List::stream)
                    .sorted(Comparator.comparing(Rule::id))
                    .toList();

    private RuleBook() {}

    /// @return the rules, by their ids
    public static List<Rule> rules() {
        return RULES;
    }
}
