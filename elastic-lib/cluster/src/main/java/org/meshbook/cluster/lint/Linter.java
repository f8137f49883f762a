package org.meshbook.cluster.lint;

import java.util.Comparator;
import java.util.List;
import org.meshbook.cluster.lint.manifests.RuleBook;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Kueue;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Subject;

/// Finds what is wrong with manifests.
public final class Linter {
    private Linter() {}

    /// @param sources texts that are applied together
    /// @param kueue the release that they are for
    /// @return what was found, by file and place
    public static List<Finding> lint(List<Source> sources, Kueue kueue) {
        var subject = new Subject(sources, kueue);
        return RuleBook.rules().stream()
                .flatMap(rule -> rule.findings(subject).stream())
                .sorted(
                        Comparator.<Finding>comparingInt(f -> sources.indexOf(f.source()))
                                .thenComparing(Finding::place)
                                .thenComparing(f -> f.rule().id()))
                .toList();
    }
}
