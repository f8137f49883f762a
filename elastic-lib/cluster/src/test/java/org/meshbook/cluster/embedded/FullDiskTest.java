package org.meshbook.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Kinds;

/// A disk that takes no more. A limit on the size of files stands for it: to the one that writes it
/// is the same, and it needs no right to mount.
@Timeout(120)
class FullDiskTest {
    private static final int KIB = 1024;
    private final Set<String> made = new HashSet<>();

    @TempDir Path folder;

    @Test
    void fullDiskIsSaidInOneLineAndTheClusterGoesOnWhenThereIsRoom() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "no prlimit here");
        var process = filler(KIB);
        try (var lines = process.inputReader()) {
            // 1. it is said, and not hidden
            var refused = until(lines, "refused ");
            assertThat(refused)
                    .startsWith("refused \"" + folder.resolve("objects.log") + "\" cannot be")
                    .endsWith("; make room, then it goes on by itself");
            int before = made.size();
            assertThat(before).isBetween(5, 100);
            assertThat(until(lines, "refused ")).isEqualTo(refused);
            // 2. room is made
            raise(process.pid());
            until(lines, "closed");
            assertThat(made).hasSizeGreaterThan(before);
        } finally {
            process.destroyForcibly().waitFor();
        }
        // 3. all that was said to be done is there
        try (var cluster = EmbeddedCluster.open(Settings.defaults().withFolder(folder))) {
            assertThat(cluster.list(Kinds.CONFIG_MAP, "default"))
                    .extracting(map -> map.name())
                    .containsExactlyInAnyOrderElementsOf(made);
        }
    }

    /// @param blocks the largest file that it may write, in KiB
    private Process filler(int blocks) throws IOException {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var command =
                "ulimit -S -f %d; exec \"$0\" -XX:TieredStopAtLevel=1 -cp \"$1\" %s \"$2\""
                        .formatted(blocks, FillerMain.class.getName());
        return new ProcessBuilder(
                        "bash",
                        "-c",
                        command,
                        java,
                        System.getProperty("java.class.path"),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void raise(long pid) throws Exception {
        var raised =
                new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--fsize=unlimited")
                        .inheritIO()
                        .start();
        assertThat(raised.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(raised.exitValue()).isZero();
    }

    private String until(BufferedReader lines, String start) throws IOException {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("made ")) {
                made.add(line.substring(5));
            }
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new AssertionError("the process ended; made " + made);
    }
}
