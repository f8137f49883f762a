package org.meshbook.cluster.lint.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.Linter;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Source;
import tools.jackson.databind.json.JsonMapper;

class ReportsTest {
    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata:
              name: main
            spec: # for all
              resourceGroups:
              - coveredResources: ["cpu"]
                flavors:
                - name: plain
                  resources:
                  - {name: cpu, nominalQuota: 3}
            """;

    private static List<Finding> findings() {
        return Linter.lint(List.of(Source.read("a b/queue.yaml", QUEUE)), Profile.V0_17);
    }

    @Test
    void textIsABlockPerFindingAndACount() {
        assertThat(new TextReport(false).write(findings()))
                .isEqualTo(
                        """
                        a b/queue.yaml:5:1: E KQ003 no namespaceSelector: none of the namespaces matches
                            spec: # for all
                            ^^^^
                          says: accepted; every workload then waits: Workload namespace doesn't match ClusterQueue selector
                          fix:  add `namespaceSelector: {}`

                        1 error, 0 warnings, 0 notes\
                        """);
        assertThat(new TextReport(false).write(List.of())).isEqualTo("nothing found");
    }

    @Test
    void coloursAreForTerminals() {
        assertThat(new TextReport(true).write(findings())).contains("\u001b[31mE\u001b[0m");
        assertThat(new TextReport(false).write(findings())).doesNotContain("\u001b");
    }

    @Test
    void longLinesAreCutAroundTheCaret() {
        var name = "x".repeat(400);
        var flat =
                "apiVersion: v1\nkind: Pod\nspec: {containers: [{command: [\"%s <WHAT> %s\"]}]}\n"
                        .formatted(name, name);
        var found = Linter.lint(List.of(Source.read("m.yaml", flat)), Profile.V0_17);
        assertThat(new TextReport(false).write(found).lines())
                .filteredOn(line -> line.startsWith("    "))
                .allMatch(line -> line.length() < 170);
    }

    @Test
    void jsonHasEveryFact() {
        var json = new JsonMapper().readTree(JsonReport.write(findings(), Profile.V0_17));
        var finding = json.at("/findings/0");
        assertThat(json.at("/kueue").asString()).isEqualTo("0.17");
        assertThat(finding.propertyNames())
                .containsExactly(
                        "file",
                        "line",
                        "column",
                        "length",
                        "severity",
                        "rule",
                        "message",
                        "says",
                        "fix",
                        "fixable");
        assertThat(finding.at("/severity").asString()).isEqualTo("error");
        assertThat(finding.at("/fixable").asBoolean()).isTrue();
    }

    /// What the schema of SARIF 2.1.0 requires.
    @Test
    void sarifHasWhatItsSchemaRequires() {
        var sarif = new JsonMapper().readTree(SarifReport.write(findings()));
        assertThat(sarif.at("/version").asString()).isEqualTo("2.1.0");
        var run = sarif.at("/runs/0");
        assertThat(run.at("/tool/driver/name").asString()).isEqualTo("meshbook lint");
        assertThat(run.at("/tool/driver/rules/0/id").asString()).isEqualTo("KQ003");
        assertThat(run.at("/columnKind").asString()).isEqualTo("unicodeCodePoints");
        var result = run.at("/results/0");
        assertThat(result.at("/ruleId").asString()).isEqualTo("KQ003");
        assertThat(result.at("/ruleIndex").asInt()).isZero();
        assertThat(result.at("/level").asString()).isIn("error", "warning", "note");
        assertThat(result.at("/message/text").asString()).contains("fix: add");
        var physical = result.at("/locations/0/physicalLocation");
        assertThat(physical.at("/artifactLocation/uri").asString()).isEqualTo("a%20b/queue.yaml");
        assertThat(physical.at("/region/startLine").asInt()).isEqualTo(5);
        assertThat(physical.at("/region/endColumn").asInt()).isEqualTo(5);
        var change = result.at("/fixes/0/artifactChanges/0");
        assertThat(change.at("/artifactLocation/uri").asString()).isEqualTo("a%20b/queue.yaml");
        assertThat(change.at("/replacements/0/deletedRegion/startLine").asInt()).isEqualTo(6);
        assertThat(change.at("/replacements/0/insertedContent/text").asString())
                .startsWith("namespaceSelector: {}");
    }

    @Test
    void sarifOfNothingIsARunWithoutResults() {
        var sarif = new JsonMapper().readTree(SarifReport.write(List.of()));
        assertThat(sarif.at("/runs/0/results").isArray()).isTrue();
        assertThat(sarif.at("/runs/0/results").isEmpty()).isTrue();
    }
}
