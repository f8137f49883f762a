package org.meshbook.magics.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.spi.MagicException;

class LintingTest {
    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata:
              name: main
            spec:
              queueingStrategy: StrictFIFO
            """;

    @TempDir Path folder;

    private Linting lint(String... arguments) {
        return Linting.ofFiles(Linting.grammar("lint").parse(List.of(arguments)));
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void statusTellsWhetherAnythingIsWorseThanANote() throws IOException {
        assertThat(lint(file("a.yaml", QUEUE)).status()).isEqualTo(1);
        var old = QUEUE.replace("v1beta2", "v1beta1") + "  namespaceSelector: {}\n";
        var linting = lint(file("b.yaml", old));
        assertThat(linting.findings()).hasSize(1);
        assertThat(linting.status()).isZero();
    }

    @Test
    void fixIsWrittenBackAndIsCleanTheSecondTime() throws IOException {
        var file = file("a.yaml", QUEUE);
        var first = lint(file, "--fix");
        assertThat(first.notes()).containsExactly("fixed " + file);
        assertThat(first.status()).isZero();
        assertThat(Files.readString(Path.of(file))).contains("  namespaceSelector: {}\n");
        assertThat(lint("--fix", file).notes()).isEmpty();
    }

    @Test
    void aFolderStandsForItsManifests() throws IOException {
        file("a.yaml", QUEUE);
        file("b.yml", QUEUE.replace("main", "other"));
        file("readme.txt", "hello");
        assertThat(lint(folder.toString()).findings()).hasSize(2);
        assertThat(lint(folder.toString(), "--document").findings()).isEmpty();
    }

    @Test
    void manifestsAreFoundInDocuments() throws IOException {
        var file = file("guide.md", "Do:\n\n```yaml\n" + QUEUE + "```\n\nand so on\n");
        assertThat(lint("--document", file).report(false)).contains("guide.md:8:1: E KQ003");
    }

    @Test
    void programsGetJsonAndSarif() throws IOException {
        var file = file("a.yaml", QUEUE);
        assertThat(lint(file, "--json", "--kueue=0.19").report(false)).contains("\"0.19\"");
        assertThat(lint(file, "--sarif").report(false)).contains("\"version\" : \"2.1.0\"");
    }

    @Test
    void whatCannotBeDoneIsOneLine() throws IOException {
        file("queue.yaml", QUEUE);
        assertThatThrownBy(() -> lint())
                .isInstanceOf(MagicException.class)
                .hasMessageStartingWith("lint needs a file; usage: lint [FILE...]");
        assertThatThrownBy(() -> lint(folder.resolve("queu.yaml").toString()))
                .hasMessageEndingWith("did you mean queue.yaml?");
        assertThatThrownBy(() -> lint("--kueue", "0.71", "x"))
                .hasMessage(
                        "lint: no Kueue '0.71'; there are 0.14, 0.17, 0.19; did you mean 0.17?");
        assertThatThrownBy(() -> lint(Files.createDirectory(folder.resolve("none")).toString()))
                .hasMessageContaining("no file *.{yaml,yml,json}");
    }

    @Test
    void cellsAreLinted() {
        var given = Linting.grammar("%lint").parse("");
        assertThat(Linting.ofText(given, "cell", QUEUE).report(false))
                .startsWith("cell:5:1: E KQ003");
        var fixing = Linting.grammar("%lint").parse("--fix");
        assertThat(Linting.ofText(fixing, "cell", QUEUE).notes().getFirst())
                .contains("namespaceSelector: {}");
    }
}
