package org.meshbook.cluster.nodes.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Kinds;

@Timeout(60)
class ProcessRuntimeTest {
    @TempDir Path folder;
    private ProcessRuntime runtime;

    @BeforeEach
    void open() {
        runtime = new ProcessRuntime(InstantSource.system(), folder);
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private final CountDownLatch ended = new CountDownLatch(1);

    private Running start(String... command) {
        return runtime.start(launch(folder, command), ended::countDown);
    }

    static Launch launch(Path folder, String... command) {
        return new Launch(
                Kinds.POD.key("default", "one"),
                "uid",
                "main",
                0,
                List.of(command),
                Map.of("PATH", System.getenv("PATH"), "COLOUR", "blue"),
                folder,
                folder.resolve("0.log"));
    }

    private Exit end(Running running) throws InterruptedException {
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        return running.exit().orElseThrow();
    }

    private String log() throws IOException {
        return texts("0.log").stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /// Waits until the program has said something, so that it is surely running.
    private void awaitLog(String text) throws IOException {
        long limit = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!Files.exists(folder.resolve("0.log")) || !log().contains(text)) {
            assertThat(System.nanoTime()).isLessThan(limit);
            Thread.onSpinWait();
        }
    }

    @Test
    void programRunsWithItsEnvironmentAndItsOutputIsKept() throws Exception {
        var exit = end(start("sh", "-c", "echo $COLOUR $HOME; echo bad >&2; exit 3"));

        assertThat(exit.code()).isEqualTo(3);
        assertThat(exit.reason()).isEqualTo("Error");
        assertThat(log()).isEqualTo("blue\nbad\n");
    }

    @Test
    void terminateReachesAllProcessesOfTheContainer() throws Exception {
        var running = start("sh", "-c", "sleep 300 & echo up; wait");
        awaitLog("up");

        running.terminate();

        assertThat(end(running).code()).isEqualTo(143);
    }

    @Test
    void killEndsWhatIgnoresTerminate() throws Exception {
        var running = start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done");
        awaitLog("up");

        running.terminate();
        running.kill();

        assertThat(end(running).code()).isEqualTo(137);
    }

    @Test
    void programMayEndWellWhenItIsAskedTo() throws Exception {
        var running =
                start("sh", "-c", "trap 'echo saved; exit 0' TERM; echo up; sleep 300 & wait");
        awaitLog("up");

        running.terminate();

        assertThat(end(running).code()).isZero();
        assertThat(log()).contains("saved");
    }

    @Test
    void whatTheProgramLeavesBehindEndsWithIt() throws Exception {
        var running = start("sh", "-c", "sleep 300 & echo $!");

        assertThat(end(running).code()).isZero();
        awaitGone(Long.parseLong(log().strip()));
    }

    @Test
    void missingProgramIsNamed() {
        var exit = start("no-such-program").exit().orElseThrow();

        assertThat(exit.reason()).isEqualTo("StartError");
        assertThat(exit.code()).isEqualTo(128);
        assertThat(exit.message())
                .isEqualTo("exec: \"no-such-program\": executable file not found in $PATH");
    }

    @Test
    void closedRuntimeLeavesNothingBehind() throws Exception {
        start("sh", "-c", "echo $$; exec sleep 300");
        awaitLog("\n");

        runtime.close();

        awaitGone(Long.parseLong(log().strip()));
    }

    @Test
    void killedClusterTakesItsPodsWithItAndTheNextOneWaitsForThem() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var head =
                new ProcessBuilder(
                                java,
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DoomedMain.class.getName(),
                                folder.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        awaitLog("\n");
        long pod = Long.parseLong(log().strip());
        assertThat(ProcessHandle.of(pod)).isPresent();

        head.destroyForcibly().waitFor();
        var next = new ProcessRuntime(InstantSource.system(), folder);

        awaitGone(pod);
        assertThat(folder.resolve("0.log.pid")).doesNotExist();
        next.close();
    }

    private static void awaitGone(long pid) throws Exception {
        var process = ProcessHandle.of(pid);
        if (process.isPresent()) {
            process.get().onExit().get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void fullLogIsTurnedOver() throws Exception {
        var log = new RotatedLog(folder.resolve("a.log"), 60, InstantSource.system());
        log.copy(bytes("12345678\n"));
        log.copy(bytes("abcdefgh"));
        log.close();

        assertThat(texts("a.log.1")).containsExactly("12345678");
        assertThat(texts("a.log")).containsExactly("abcdefgh");
    }

    @Test
    void eachLineIsKeptWithItsTimeHoweverItsBytesCome() throws Exception {
        var clock = new AtomicReference<>(Instant.parse("2026-12-01T08:00:00Z"));
        var log = new RotatedLog(folder.resolve("a.log"), 1 << 20, clock::get);
        log.copy(bytes("one\n\nthr"));
        log.close();
        assertThat(folder.resolve("a.log"))
                .hasContent(
                        """
                        2026-12-01T08:00:00.000000000Z stdout F one
                        2026-12-01T08:00:00.000000000Z stdout F\s
                        2026-12-01T08:00:00.000000000Z stdout F thr
                        """);
    }

    @Test
    void aLineWithoutEndIsKeptInPieces() throws Exception {
        var log = new RotatedLog(folder.resolve("a.log"), 1 << 20, InstantSource.system());
        log.copy(bytes("x".repeat(40_000) + "\n"));
        log.close();
        var lines = Files.readAllLines(folder.resolve("a.log"));
        assertThat(lines.stream().map(LogLine::parse).map(LogLine::whole))
                .containsExactly(false, false, true);
        assertThat(String.join("", texts("a.log"))).isEqualTo("x".repeat(40_000));
    }

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> texts(String file) throws IOException {
        return Files.readAllLines(folder.resolve(file)).stream()
                .map(line -> LogLine.parse(line).text())
                .toList();
    }
}
