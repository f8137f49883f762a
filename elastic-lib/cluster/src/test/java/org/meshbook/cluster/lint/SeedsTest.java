package org.meshbook.cluster.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Severity;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Text;

/// The documents that the rules come from, where a machine has them: their folder is named by the
/// property `meshbook.seeds` or the variable `MESHBOOK_SEEDS`.
class SeedsTest {
    /// Per rule the documents that it is about.
    private static final String EXPECTED =
            """
            JS001 [001, 003]
            JS002 [001, 003]
            KQ001 [003]
            KQ002 [003]
            KQ003 [003]
            KQ004 [003]
            KQ005 [003]
            KQ006 [003]
            KQ007 [003]
            KQ008 [003]
            KQ009 [001]
            KQ012 [001, 003]
            KQ013 [001, 002, 003]
            KQ014 [002]
            PR001 [002]
            PR002 [002]
            PR003 [002]
            RJ001 [002]
            RJ002 [002]
            RJ003 [002]
            YM001 [003]
            YM002 [003]
            YM003 [003]
            YM004 [002, 003]
            YM005 [004]
            YM006 [002]\
            """;

    private static Path folder() {
        var named = System.getProperty("meshbook.seeds", System.getenv("MESHBOOK_SEEDS"));
        return Path.of(named == null ? "seeds" : named);
    }

    @BeforeEach
    void skipsWithoutThem() {
        assumeTrue(
                Files.isDirectory(folder().resolve("manifests")),
                "no seeds: name their folder by -Dmeshbook.seeds=FOLDER or MESHBOOK_SEEDS");
    }

    private static List<Source> manifests(String kind) throws IOException {
        try (var files = Files.list(folder().resolve("manifests").resolve(kind))) {
            return files.sorted().map(f -> Source.read(name(f), text(f))).toList();
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String summary(List<Finding> findings) {
        var found = new TreeMap<String, Set<String>>();
        findings.forEach(
                f ->
                        found.computeIfAbsent(f.rule().id(), _ -> new TreeSet<>())
                                .add(f.source().name().substring(0, 3)));
        return String.join(
                "\n", found.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void manifestsAsPrintedHaveExactlyTheKnownMistakes(Profile kueue) throws IOException {
        assertThat(summary(Linter.lint(manifests("as-printed"), kueue))).isEqualTo(EXPECTED);
    }

    @Test
    void readableOnesHaveNoMistakesOfCopying() throws IOException {
        // One of them still ends with prose of its page.
        assertThat(Linter.lint(manifests("readable"), Profile.V0_17))
                .filteredOn(f -> !f.message().contains("prose"))
                .extracting(f -> f.rule().id())
                .doesNotContain("YM001", "YM004", "YM005", "YM007");
    }

    @Test
    void verdictsFollowTheRelease() throws IOException {
        assertThat(severity("KQ005", Profile.V0_14)).isEqualTo(Severity.WARNING);
        assertThat(severity("KQ005", Profile.V0_17)).isEqualTo(Severity.ERROR);
        assertThat(severity("RJ001", Profile.V0_14)).isEqualTo(Severity.ERROR);
        assertThat(severity("RJ001", Profile.V0_17)).isEqualTo(Severity.ERROR);
        assertThat(severity("RJ001", Profile.V0_19)).isEqualTo(Severity.WARNING);
        assertThat(verdict("KQ003", Profile.V0_17)).contains("Workload namespace doesn't match");
        assertThat(verdict("KQ003", Profile.V0_19)).contains("workload namespace doesn't match");
        assertThat(verdict("YM004", Profile.V0_17))
                .contains(
                        "error converting YAML to JSON: yaml: line 9: could not find expected ':'");
    }

    private static Severity severity(String id, Profile kueue) throws IOException {
        return only(id, kueue).severity();
    }

    private static String verdict(String id, Profile kueue) throws IOException {
        return only(id, kueue).verdict();
    }

    private static Finding only(String id, Profile kueue) throws IOException {
        return Linter.lint(manifests("as-printed"), kueue).stream()
                .filter(f -> f.rule().id().equals(id))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    @Test
    void documentsHaveTheirOwn() throws IOException {
        try (var files = Files.newDirectoryStream(folder(), "*.txt")) {
            var texts = new TreeMap<String, Text>();
            files.forEach(f -> texts.put(name(f), new Text(name(f), text(f))));
            var found = summary(Linter.lintDocuments(List.copyOf(texts.values()), Profile.V0_17));
            assertThat(found.lines())
                    .contains(
                            "KQ010 [001, 004]",
                            "KQ011 [001, 004]",
                            "PQ001 [001, 004]",
                            "JS003 [001, 004]",
                            "RJ004 [002]",
                            "PW001 [000]",
                            "PW002 [000]",
                            "PW003 [000]",
                            "PW004 [000]");
        }
    }
}
