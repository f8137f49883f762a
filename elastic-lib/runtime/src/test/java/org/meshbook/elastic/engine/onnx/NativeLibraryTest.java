package org.meshbook.elastic.engine.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class NativeLibraryTest {
    @Test
    void unpacksOnceAndRepairsWhatIsCut(@TempDir Path cache) throws Exception {
        var folder = Objects.requireNonNull(NativeLibrary.unpack(cache));
        var files = files(folder);
        assertThat(files).hasSize(2);
        var first = files.getFirst();
        var stamp = Files.getLastModifiedTime(first);

        assertThat(NativeLibrary.unpack(cache)).isEqualTo(folder);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(stamp);

        long size = Files.size(first);
        Files.write(first, new byte[] {1, 2, 3});
        NativeLibrary.unpack(cache);
        assertThat(files(folder)).isEqualTo(files);
        assertThat(Files.size(first)).isEqualTo(size);
    }

    @Test
    void aProcessPrintsNothingAndLeavesNothing(@TempDir Path home) throws Exception {
        var temp = Files.createDirectories(home.resolve("tmp"));
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + temp,
                        // Long command lines once ended the process, see Telemetry.
                        "-Dlong=" + "x".repeat(8000),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneStep.class.getName());
        builder.environment().remove("ORT_DISABLE_TELEMETRY");
        builder.environment().put("XDG_CACHE_HOME", home.resolve("cache").toString());
        var out = home.resolve("out");
        var process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
        try {
            assertThat(process.waitFor()).as(() -> text(out)).isZero();
        } finally {
            process.destroyForcibly();
        }
        assertThat(out).isEmptyFile();
        assertThat(Path.of("/tmp/mat-debug-" + process.pid() + ".log")).doesNotExist();
        assertThat(files(temp).stream().filter(f -> f.toString().contains("onnx"))).isEmpty();
        assertThat(files(home.resolve("cache/meshbook"))).hasSize(1);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder) {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
