package org.meshbook.kernel.notebook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.cell.ScriptedEngine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NotebookRunTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static Map<String, Object> cell(String type, String source, String... tags) {
        return type.equals("code")
                ? Map.of(
                        "cell_type",
                        type,
                        "source",
                        source,
                        "metadata",
                        Map.of("tags", List.of(tags)),
                        "outputs",
                        List.of(Map.of("output_type", "old")),
                        "execution_count",
                        77)
                : Map.of("cell_type", type, "source", List.of(source), "metadata", Map.of());
    }

    private Notebook notebook(List<Map<String, Object>> cells) throws IOException {
        var content =
                Map.of(
                        "nbformat",
                        4,
                        "nbformat_minor",
                        2,
                        "metadata",
                        Map.of("x", 1),
                        "cells",
                        cells);
        Files.writeString(file("in.ipynb"), JSON.writeValueAsString(content));
        return Notebook.read(file("in.ipynb"));
    }

    private RunReport run(Notebook notebook, boolean colour) {
        var screen = new Screen(new PrintStream(printed, true, UTF_8), colour, 80);
        var clock = InstantSource.fixed(Instant.EPOCH);
        return new NotebookRun(file("in.ipynb"), notebook, new ScriptedEngine(), screen, clock)
                .run();
    }

    private String screen() {
        return printed.toString(UTF_8);
    }

    private JsonNode written(Notebook notebook) throws IOException {
        notebook.write(file("out.ipynb"));
        var json = JSON.readTree(Files.readString(file("out.ipynb")));
        Nbformat.check(json);
        return json;
    }

    @Test
    void cellsAreShownWithProgressAndTheirOutput() throws IOException {
        var notebook =
                notebook(
                        List.of(
                                cell("markdown", "# Title"),
                                cell("code", "print one\nresult 42"),
                                cell("raw", "nothing"),
                                cell("code", "picture")));

        var report = run(notebook, false);

        assertThat(report.ok()).isTrue();
        assertThat(screen())
                .isEqualTo(
                        """
                        # Title

                        [1/2] \u2502 print one
                              \u2502 result 42
                        one
                        42

                        [2/2] \u2502 picture
                        <plot>
                        [image/png, 1 x 1, 72 bytes]

                        2 cells in 0.0 s
                        """);
    }

    @Test
    void aFailureEndsTheRunAndNamesItsCell() throws IOException {
        var notebook =
                notebook(
                        List.of(
                                cell("code", "result 1"),
                                cell("code", "put half\nfail Boom"),
                                cell("code", "result 3")));

        var report = run(notebook, false);

        assertThat(report.failure()).contains(new RunReport.Failed(2, "Boom", "as asked"));
        assertThat(report.cells()).hasSize(2);
        assertThat(screen()).contains("half\nBoom: as asked\n").doesNotContain("result 3");
        var cells = written(notebook).path("cells");
        assertThat(cells.at("/1/outputs/1/ename").asString()).isEqualTo("Boom");
        assertThat(cells.at("/2/outputs").size()).isZero();
        assertThat(cells.at("/2/execution_count").isNull()).isTrue();
    }

    @Test
    void aCellThatMayFailDoesNotEndTheRun() throws IOException {
        var notebook =
                notebook(
                        List.of(
                                cell("code", "fail Boom", "raises-exception"),
                                cell("code", "fail Never", "skip-execution"),
                                cell("code", "result 3")));
        var report = run(notebook, false);
        assertThat(report.ok()).isTrue();
        assertThat(report.cells()).hasSize(2);
    }

    @Test
    void theOutputFileIsValidAndKeepsWhatItDoesNotKnow() throws IOException {
        var notebook =
                notebook(
                        List.of(
                                cell("markdown", "text"),
                                cell(
                                        "code",
                                        "print a\nprint b\nerr c\nshow id shown\npicture\nresult r")));
        run(notebook, true);
        var json = written(notebook);

        assertThat(json.path("nbformat_minor").asInt()).isEqualTo(5);
        assertThat(json.at("/metadata/x").asInt()).isEqualTo(1);
        assertThat(json.at("/metadata/kernelspec/name").asString()).isEqualTo("meshbook");
        var outputs = json.at("/cells/1/outputs");
        assertThat(outputs.valueStream().map(o -> o.path("output_type").asString()).toList())
                .containsExactly(
                        "stream", "stream", "display_data", "display_data", "execute_result");
        assertThat(outputs.at("/0/text").toString()).isEqualTo("[\"a\\n\",\"b\\n\"]");
        assertThat(outputs.at("/3/data").path("image/png").asString())
                .isEqualTo(ScriptedEngine.PIXEL);
    }

    @Test
    void runningTwiceWritesTheSameFile() throws IOException {
        var cells = List.of(cell("code", "result 1"), cell("code", "result 1"));
        var first = notebook(cells);
        run(first, false);
        first.write(file("a.ipynb"));
        var second = Notebook.read(file("a.ipynb"));
        run(second, false);
        second.write(file("b.ipynb"));
        assertThat(file("b.ipynb")).hasSameTextualContentAs(file("a.ipynb"));
    }

    @Test
    void anUpdateReplacesWhatAnEarlierCellShowed() throws IOException {
        var notebook =
                notebook(
                        List.of(cell("code", "show d old"), cell("code", "update d new\nprint x")));
        run(notebook, false);
        assertThat(written(notebook).at("/cells/0/outputs/0/data").path("text/plain").asString())
                .isEqualTo("new");
        assertThat(screen()).contains("x\nnew\n");
    }

    @Test
    void onATerminalAnUpdateIsWrittenOverTheDisplay() throws IOException {
        var notebook = notebook(List.of(cell("code", "show d old\nupdate d new\nupdate d newer")));
        run(notebook, true);
        assertThat(screen()).contains("old\n\u001b[1A\u001b[Jnew\n\u001b[1A\u001b[Jnewer\n");
    }

    @Test
    void clearTakesAwayWhatWasThere() throws IOException {
        var notebook =
                notebook(
                        List.of(
                                cell("code", "print a\nclear\nprint b"),
                                cell("code", "print a\nclear wait"),
                                cell("code", "print a\nclear wait\nprint b")));
        run(notebook, false);
        var cells = written(notebook).path("cells");
        assertThat(cells.at("/0/outputs/0/text").asString()).isEqualTo("b\n");
        assertThat(cells.at("/1/outputs/0/text").asString()).isEqualTo("a\n");
        assertThat(cells.at("/2/outputs/0/text").asString()).isEqualTo("b\n");
    }

    @Test
    void nobodyIsAsked() throws IOException {
        var report = run(notebook(List.of(cell("code", "ask name?"))), false);
        assertThat(report.failure().orElseThrow().name()).contains("nobody to ask 'name?'");
    }

    @Test
    void theReportSaysWhatEachCellDid() throws IOException {
        var notebook =
                notebook(List.of(cell("code", "print a\nresult 1"), cell("code", "fail Boom")));
        run(notebook, false).write(file("report.json"));
        var json = JSON.readTree(Files.readString(file("report.json")));
        assertThat(json.path("ok").asBoolean()).isFalse();
        assertThat(json.path("failed").asInt()).isEqualTo(2);
        assertThat(json.path("error").asString()).isEqualTo("Boom: as asked");
        assertThat(json.at("/cells/0/number").asInt()).isEqualTo(1);
        assertThat(json.at("/cells/0/ok").asBoolean()).isTrue();
        assertThat(json.at("/cells/0/milliseconds").isNumber()).isTrue();
        assertThat(json.at("/cells/0/outputs").asString()).isEqualTo("a\n1");
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource(
            delimiter = '|',
            value = {
                "'{not json'                                        | broken JSON at line 1",
                "'[]'                                               | no 'nbformat'",
                "'{\"nbformat\": 3, \"worksheets\": []}'            | has nbformat 3",
                "'{\"nbformat\": 4}'                                | no list of cells",
                "'{\"nbformat\": 4, \"cells\": [{\"source\": 1}]}'  | cell 1 has no type",
                "''                                                 | no notebook",
            })
    void aBrokenNotebookIsRefusedInOneLine(String content, String why) throws IOException {
        Files.writeString(file("bad.ipynb"), content);
        assertThatThrownBy(() -> Notebook.read(file("bad.ipynb")))
                .isInstanceOf(NotebookUnusable.class)
                .hasMessageContaining(why)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aMissingNotebookNamesItsNeighbours() throws IOException {
        Files.writeString(file("lesson.ipynb"), "{}");
        assertThatThrownBy(() -> Notebook.read(file("leson.ipynb")))
                .hasMessageContaining("no notebook at")
                .hasMessageContaining("there are lesson.ipynb");
        assertThatThrownBy(() -> Notebook.read(folder)).hasMessageContaining("is a folder");
    }

    @Test
    void aFileThatCannotBeWrittenIsLeftAsItWas() throws IOException {
        var notebook = notebook(List.of(cell("code", "result 1")));
        var nowhere = folder.resolve("no").resolve("out.ipynb");
        assertThatThrownBy(() -> notebook.write(nowhere))
                .isInstanceOf(NotebookUnusable.class)
                .hasMessageContaining("no folder");
    }
}
