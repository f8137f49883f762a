package org.meshbook.cluster.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.cluster.lint.manifests.RuleBook;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Severity;
import org.meshbook.cluster.lint.rule.Source;

/// What holds for every rule about manifests.
class RulesTest {
    private static Stream<DynamicTest> each(java.util.function.Consumer<Example> check) {
        return RuleBook.rules().stream()
                .map(Rule::id)
                .map(id -> DynamicTest.dynamicTest(id, () -> check.accept(Example.of(id))));
    }

    @TestFactory
    Stream<DynamicTest> findsItsExampleOnce() {
        return each(
                example ->
                        assertThat(example.findings(example.bad()))
                                .filteredOn(f -> f.rule().id().equals(example.id()))
                                .hasSize(1));
    }

    @TestFactory
    Stream<DynamicTest> nothingElseIsWrongWithAnExample() {
        return each(
                example ->
                        assertThat(example.findings(example.good()))
                                .filteredOn(f -> f.severity() != Severity.INFO)
                                .extracting(f -> f.rule().id() + " " + f.message())
                                .isEmpty());
    }

    @TestFactory
    Stream<DynamicTest> isSilentOnTheFixedForm() {
        return each(
                example ->
                        assertThat(example.findings(example.good()))
                                .filteredOn(f -> f.rule().id().equals(example.id()))
                                .isEmpty());
    }

    @TestFactory
    Stream<DynamicTest> findingsPointIntoTheText() {
        return each(
                example -> {
                    var lines = example.bad().lines().toList();
                    for (var finding : example.findings(example.bad())) {
                        var place = finding.place();
                        assertThat(place.line()).isBetween(1, lines.size());
                        var line = lines.get(place.line() - 1);
                        assertThat(place.column() - 1 + place.length())
                                .as("%s in '%s'", finding, line)
                                .isLessThanOrEqualTo(line.codePointCount(0, line.length()));
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> messagesAreOneLine() {
        return each(
                example ->
                        assertThat(example.findings(example.bad()))
                                .allSatisfy(
                                        f -> {
                                            assertThat(f.message())
                                                    .doesNotContain("\n")
                                                    .isNotBlank();
                                            assertThat(f.message()).doesNotEndWith(".");
                                            assertThat(f.fix()).doesNotContain("\n").isNotBlank();
                                        }));
    }

    @TestFactory
    Stream<DynamicTest> whatAMachineFixesIsGoneInTheSecondRun() {
        return each(
                example -> {
                    var source = Source.read("m.yaml", example.bad());
                    var fixed = Fixer.fix(List.of(source), example.kueue());
                    assertThat(Linter.lint(fixed, example.kueue()))
                            .allSatisfy(f -> assertThat(f.edits()).isEmpty());
                    assertThat(Fixer.fix(fixed, example.kueue())).isEqualTo(fixed);
                });
    }

    @TestFactory
    Stream<DynamicTest> fixableExamplesBecomeTheFixedForm() {
        return Stream.of("KQ001", "KQ002", "KQ003", "KQ005", "KQ006", "KQ007", "KQ013", "YM004")
                .map(
                        id ->
                                DynamicTest.dynamicTest(
                                        id,
                                        () -> {
                                            var example = Example.of(id);
                                            var source = Source.read("m.yaml", example.bad());
                                            var fixed = Fixer.fix(List.of(source), example.kueue());
                                            assertThat(objects(fixed.getFirst()))
                                                    .isEqualTo(
                                                            objects(
                                                                    Source.read(
                                                                            "m.yaml",
                                                                            example.good())));
                                        }));
    }

    private static List<?> objects(Source source) {
        return source.manifest().documents().stream().map(d -> d.root().json()).toList();
    }
}
