package org.meshbook.kernel.embed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// In a process of its own: a session takes the standard streams.
class MagicsTest {
    @TempDir Path folder;

    /// A program that knows Meshbook as a library.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Magics.run("help");
            try {
                Magics.run("hlep");
            } catch (org.meshbook.kernel.spi.MagicException e) {
                System.out.println("refused: " + e.getMessage());
            }
            org.meshbook.kernel.display.Display.display(List.of(1, 2, 3));
            try (var session = Meshbook.start()) {
                session.run("6 * 7");
                System.out.println(session == Meshbook.start());
            }
            System.exit(0);
        }
    }

    @Test
    void aProgramRunsMagicsAndDisplaysOnItsOwnStreams() throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Program.class.getName())
                        .redirectErrorStream(true)
                        .directory(folder.toFile())
                        .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said)
                .contains("%magics")
                .contains("refused: no magic named %hlep; did you mean %help?")
                .contains("[1, 2, 3]")
                .endsWith("42\ntrue\n");
        assertThat(process.exitValue()).isZero();
    }
}
