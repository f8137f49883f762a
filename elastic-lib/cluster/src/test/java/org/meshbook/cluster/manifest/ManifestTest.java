package org.meshbook.cluster.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.cluster.Kinds;

class ManifestTest {
    private static final String TWO =
            """
            apiVersion: v1
            kind: Namespace
            metadata:
              name: a
            --- # the next one
            apiVersion: kueue.x-k8s.io/v1beta1
            kind: LocalQueue
            metadata:
              name: line
              labels: {team/x: "1"}
            spec:
              clusterQueue: main
            """;

    private static Document only(String text) {
        return Manifest.read("m.yaml", text).complete().getFirst();
    }

    private static Fault fault(String text) {
        return Manifest.read("m.yaml", text).faults().getFirst();
    }

    @Test
    void eachKeyAndValueHasItsPlace() {
        var second = Manifest.read("m.yaml", TWO).complete().get(1);
        assertThat(second.at("spec", "clusterQueue").key()).hasToString("12:3");
        assertThat(second.at("spec", "clusterQueue").place()).isEqualTo(new Place(12, 17, 4));
        assertThat(second.find("metadata.labels[team/x]").place()).hasToString("10:20");
        assertThat(second.root().place()).hasToString("6:1");
        assertThat(second.index()).isEqualTo(1);
        assertThat(second.is(Kinds.LOCAL_QUEUE)).isTrue();
        assertThat(second.resource().key().path()).isEqualTo("line");
    }

    @Test
    void whatIsNotThereStandsWhereItShould() {
        var doc = only("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n");
        var image = doc.find("spec.containers[0].image");
        assertThat(image.exists()).isFalse();
        assertThat(image.text()).isEmpty();
        assertThat(image.place()).hasToString("5:5");
        assertThat(doc.find("spec.containers[7].image").place()).hasToString("4:3");
        assertThat(doc.find("status").place()).hasToString("1:1");
    }

    @Test
    void emptyPartsAndCommentsAreNoDocuments() {
        var manifest = Manifest.read("m.yaml", "# nothing\n---\n---\n# still\n---\n" + TWO);
        assertThat(manifest.complete()).hasSize(2);
        assertThat(Manifest.read("m.yaml", "").complete()).isEmpty();
        assertThat(Manifest.read("m.yaml", "\uFEFF" + TWO).complete()).hasSize(2);
        assertThat(Manifest.read("m.yaml", TWO.replace("\n", "\r\n")).complete()).hasSize(2);
    }

    @Test
    void itemsOfListsAreDocumentsOfTheirOwn() {
        var list =
                Manifest.read(
                                "m.yaml",
                                """
                                apiVersion: v1
                                kind: List
                                items:
                                - {apiVersion: v1, kind: Namespace, metadata: {name: a}}
                                - {apiVersion: v1, kind: Namespace, metadata: {name: b}}
                                """)
                        .complete();
        assertThat(list).extracting(Document::name).containsExactly("a", "b");
        assertThat(list.get(1).at("metadata", "name").place().line()).isEqualTo(5);

        var typed = only("apiVersion: batch/v1\nkind: JobList\nitems:\n- metadata: {name: x}\n");
        assertThat(typed.is(Kinds.JOB)).isTrue();
        assertThat(typed.resource().kind()).isEqualTo(Kinds.JOB);
    }

    @Test
    void jsonIsReadAsWell() {
        var doc = only("{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"Pod\", \"spec\": {\"x\": 1}}");
        assertThat(doc.at("spec", "x").place()).hasToString("3:31");
        assertThat(doc.at("spec", "x").number(0)).isEqualTo(1);
    }

    /// Texts of kubectl 1.35.
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    a: b c: d                       | yaml: mapping values are not allowed in this context
                    x: 1\\na: b c: d                | yaml: line 2: mapping values are not allowed in this context
                    "  a: 1\\n  ---\\n  b: 1\\n"      | yaml: line 3: could not find expected ':'
                    a: [1, 2                        | yaml: did not find expected ',' or ']'
                    a:\\n\\t- b                      | yaml: line 2: found character that cannot start any token
                    a: 'b                           | yaml: found unexpected end of stream
                    - b: 1\\n c: d                   | yaml: line 1: did not find expected '-' indicator
                    a:\\n  b: 1\\n c: d             | yaml: line 2: did not find expected key
                    x: 1\\na: 1\\n   b: 2            | yaml: line 3: mapping values are not allowed in this context
                    a: *nobody                      | yaml: unknown anchor 'nobody' referenced
                    a: .inf                         | json: unsupported value: +Inf
                    a: {{ .Values.name }}           | yaml: invalid map key: map[interface {}]interface {}{".Values.name":interface {}(nil)}
                    """)
    void whatIsNoYamlIsToldAsKubectlTellsIt(String text, String problem) {
        var fault = fault(text.replace("\\n", "\n").replace("\\t", "\t"));
        assertThat(fault.problem()).isEqualTo("error converting YAML to JSON: " + problem);
        assertThat(fault.text()).isEqualTo("error parsing m.yaml: " + fault.problem());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    apiVersion: v1           | kind not set
                    kind: Pod                | apiVersion not set
                    a: b                     | [apiVersion not set, kind not set]
                    kind: 1\\napiVersion: v1 | kind isn't string type
                    just text                | invalid object to validate
                    """)
    void whatIsNoObjectIsToldAsKubectlTellsIt(String text, String problem) {
        var fault = fault(text.replace("\\n", "\n"));
        assertThat(fault.kind()).isEqualTo(Fault.Kind.NO_OBJECT);
        assertThat(fault.text())
                .isEqualTo(
                        "error validating \"m.yaml\": error validating data: "
                                + problem
                                + "; if you choose to ignore these errors, turn validation off with"
                                + " --validate=false");
    }

    @Test
    void oddFirstIndentDropsTheRestInSilence() {
        var manifest = Manifest.read("m.yaml", "    apiVersion: v1\nkind: Pod\n---\n" + TWO);
        assertThat(manifest.faults()).extracting(Fault::problem).containsExactly("kind not set");
        assertThat(manifest.documents()).hasSize(2);
        var whole = only("    apiVersion: v1\n    kind: Pod\nspec: {}\n");
        assertThat(whole.dropped()).isPresent();
        assertThat(whole.at("spec").exists()).isFalse();
    }

    @Test
    void separatorWithTextIsAFault() {
        assertThat(fault("--- kind: Pod\n").text())
                .isEqualTo("error parsing m.yaml: invalid Yaml document separator: kind: Pod");
    }

    @Test
    void aFaultHidesNoOtherPart() {
        var manifest = Manifest.read("m.yaml", "a: b: c\n---\n" + TWO);
        assertThat(manifest.documents()).hasSize(2);
        assertThatThrownBy(manifest::complete)
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("error parsing m.yaml: ");
    }

    @Test
    void ofEqualKeysTheLastCountsAndBothAreKnown() {
        var doc = only("apiVersion: v1\nkind: Pod\nspec:\n  a: 1\n  b: 2\n  a: 3\n");
        assertThat(doc.at("spec", "a").number(0)).isEqualTo(3);
        assertThat(doc.repeated())
                .containsExactly(
                        new Document.Repeated("spec.a", new Place(6, 3, 1), new Place(4, 3, 1)));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "yes,true",
        "Off,false",
        "010,8",
        "0x10,16",
        "1_000,1000",
        "1e3,1000",
        "08,8",
        "1.50,1.5",
        "~,null",
        "2020-01-02,\"2020-01-02\"",
        "12:30,\"12:30\"",
        "1.2.3,\"1.2.3\"",
        "18446744073709551616,18446744073709551616",
        "'\"yes\"','\"yes\"'",
        "!!str 5,\"5\"",
        "!!int \"5\",5",
        "+7,7",
        "0b101,5",
        "1000000000Gi,\"1000000000Gi\"",
        "!mine x,\"x\""
    })
    void scalarsMeanWhatTheyMeanToGo(String yaml, String json) {
        var doc = only("apiVersion: v1\nkind: Pod\nv: " + yaml + "\n");
        assertThat(doc.at("v").json().toString()).isEqualTo(json);
    }

    @Test
    void anchorsAndMergesAreFollowed() {
        var doc =
                only(
                        """
                        apiVersion: v1
                        kind: Pod
                        base: &base {a: 1, b: 2}
                        more:
                          <<: *base
                          b: 3
                        list: [*base]
                        """);
        assertThat(doc.at("more").json().toString()).isEqualTo("{\"b\":3,\"a\":1}");
        assertThat(doc.find("list[0].a").number(0)).isEqualTo(1);
    }

    @Test
    void aBombOfAliasesIsRefused() {
        var text = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            text.append("a%d: &a%d [".formatted(i, i));
            text.append(String.join(",", List.of(("*a" + (i - 1) + ",").repeat(10).split(","))));
            text.append("]\n");
        }
        assertThat(fault(text.toString()).problem()).contains("excessive aliasing");
    }

    @Test
    void depthHasALimit() {
        assertThat(fault("[".repeat(100_000)).problem()).contains("max depth");
    }
}
