package org.meshbook.magics.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.notebook.Notebook;
import org.meshbook.kernel.notebook.NotebookRun;
import org.meshbook.kernel.notebook.Screen;
import org.meshbook.magics.maven.MavenExtension;
import org.meshbook.magics.maven.RepositoryServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A notebook as IJava's users write it, run whole and unchanged by the notebook runner.
@Timeout(120)
class IjavaNotebookTest {
    @TempDir private Path temp;
    private RepositoryServer server;

    @BeforeEach
    void serve() throws Exception {
        server = new RepositoryServer(temp.resolve("served"));
        server.library("org.a:greeter:1.0");
        server.library("org.a:helper:2.0");
        var settings = temp.resolve("settings.xml");
        Files.writeString(
                settings,
                "<settings><localRepository>%s</localRepository><mirrors><mirror><id>here</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>"
                        .formatted(temp.resolve("local"), server.url()));
        System.setProperty("meshbook.maven.settings", settings.toString());
    }

    @AfterEach
    void stop() {
        System.clearProperty("meshbook.maven.settings");
        server.close();
    }

    @Test
    void everyCellRunsAndShowsWhatIjavaShows() throws Exception {
        var file = temp.resolve("ijava-style.ipynb");
        try (var in = getClass().getResourceAsStream("ijava-style.ipynb")) {
            var unused = Files.copy(in, file);
        }
        var notebook = Notebook.read(file);
        var engine = CellEngines.open(List.of(new MavenExtension(), new CompatExtension()));
        try {
            var report =
                    new NotebookRun(
                                    file,
                                    notebook,
                                    engine,
                                    new Screen(
                                            new PrintStream(OutputStream.nullOutputStream()),
                                            false,
                                            80),
                                    InstantSource.system())
                            .run();
            assertThat(report.failure()).isEmpty();
        } finally {
            engine.close(false);
        }
        notebook.write(file);

        var outputs = outputs(JsonMapper.builder().build().readTree(Files.readString(file)));
        assertThat(outputs)
                .contains("1.0", "1.02.0", "true", "6", "MAKE IT LOUD", "[1, 4, 9]")
                .contains("<b>Countdown:</b> 0", "<b>Liftoff!</b>", "Hello from **IJava**")
                .contains("<hr width='5'>", "===", "MAKE IT LOUD has 12 letters\n");
    }

    /// Everything that stands below the cells, in every MIME type.
    private static List<String> outputs(JsonNode notebook) {
        var found = new ArrayList<String>();
        for (var cell : notebook.path("cells")) {
            for (var output : cell.path("outputs")) {
                output.path("data").forEach(content -> found.add(text(content)));
                found.add(text(output.path("text")));
            }
        }
        return found;
    }

    private static String text(JsonNode node) {
        if (node.isString()) {
            return node.asString();
        }
        var text = new StringBuilder();
        node.forEach(line -> text.append(line.asString("")));
        return text.toString();
    }
}
