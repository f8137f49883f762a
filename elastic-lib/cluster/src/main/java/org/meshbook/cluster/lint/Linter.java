package org.meshbook.cluster.lint;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.documents.Blocks;
import org.meshbook.cluster.lint.documents.DocumentRules;
import org.meshbook.cluster.lint.manifests.RuleBook;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.lint.rule.Text;

/// Finds what is wrong with manifests.
public final class Linter {
    private Linter() {}

    /// @param sources texts that are applied together
    /// @param kueue the release that they are for
    /// @return what was found, by file and place
    public static List<Finding> lint(List<Source> sources, Profile kueue) {
        return lint(RuleBook.rules(), new Subject(sources, List.of(), kueue));
    }

    /// @param texts documents with manifests, commands and output in them
    /// @param kueue the release that they are for
    /// @return what was found, by document and place
    public static List<Finding> lintDocuments(List<Text> texts, Profile kueue) {
        var sources = texts.stream().flatMap(text -> Blocks.in(text).stream()).toList();
        var rules = Stream.concat(RuleBook.rules().stream(), DocumentRules.all().stream());
        return lint(rules.toList(), new Subject(sources, texts, kueue));
    }

    /// @return all rules, by their ids
    public static List<Rule> rules() {
        return Stream.concat(RuleBook.rules().stream(), DocumentRules.all().stream())
                .sorted(Comparator.comparing(Rule::id))
                .toList();
    }

    private static List<Finding> lint(List<Rule> rules, Subject subject) {
        var names =
                Stream.concat(
                                subject.texts().stream().map(Text::name),
                                subject.sources().stream().map(Source::name))
                        .distinct()
                        .toList();
        return rules.stream()
                .flatMap(rule -> rule.findings(subject).stream())
                .sorted(
                        Comparator.<Finding>comparingInt(f -> names.indexOf(f.source().name()))
                                .thenComparing(Finding::place)
                                .thenComparing(f -> f.rule().id()))
                .toList();
    }
}
