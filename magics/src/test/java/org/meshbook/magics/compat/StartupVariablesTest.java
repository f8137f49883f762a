package org.meshbook.magics.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.magics.maven.MavenExtension;
import org.meshbook.magics.maven.Notebook;
import org.meshbook.magics.maven.RepositoryServer;

@Timeout(120)
class StartupVariablesTest {
    @TempDir private Path temp;

    @Test
    @DisplayName("jjava#67: start-up code runs as a cell does, and its errors are the first cell's")
    void startupCodeRunsAsAPartOfTheFirstCell() throws Exception {
        var before = System.getProperty("java.class.path");
        Files.write(
                temp.resolve("lib.jar"),
                RepositoryServer.jar(
                        Map.of("p/Started", "package p; public class Started {}"), Map.of()));
        Files.writeString(
                temp.resolve("init.jsh"),
                "class Session { p.Started s = new p.Started(); }\n"
                        + "var session = new Session();\n"
                        + "%classpath .");
        var extension =
                new CompatExtension(
                        Map.of(
                                "IJAVA_CLASSPATH", temp + "/*.jar",
                                "JJAVA_STARTUP_SCRIPTS_PATH", temp.resolve("init.jsh").toString(),
                                "IJAVA_STARTUP_SCRIPT", "int ok = 1;\nint broken = \"s\";",
                                "IJAVA_TIMEOUT", "30 SECONDS",
                                "IJAVA_COMPILER_OPTS", "-parameters"));
        try (var notebook = new Notebook(new MavenExtension(), extension)) {
            var first = notebook.run("session.s != null");
            assertThat(first.result()).isEqualTo("true");
            assertThat(first.err())
                    .contains("start-up: IJAVA_STARTUP_SCRIPT failed: ", "incompatible types")
                    .contains("IJAVA_COMPILER_OPTS is not taken");
            assertThat(notebook.run("ok").err()).isEmpty();
            assertThat(notebook.run("%config cell.timeout").out()).contains("30");
        } finally {
            System.setProperty("java.class.path", before);
        }
    }
}
