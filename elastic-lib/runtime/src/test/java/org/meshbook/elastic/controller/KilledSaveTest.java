package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.checkpoint.tier.CheckpointOptions;
import org.meshbook.elastic.checkpoint.tier.CheckpointSave;
import org.meshbook.elastic.checkpoint.tier.Checkpointer;
import org.meshbook.elastic.checkpoint.tier.DurableTier;
import org.meshbook.elastic.checkpoint.tier.RamTier;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;

/// Processes that are killed in the middle of a save: what was committed before is what there is.
///
/// A slice that is stopped writes nothing, so the save of the others is surely half done when the
/// kill comes.
@Timeout(180)
class KilledSaveTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String HALF = "half of step 20 is written";

    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-kill-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        LocalHead.at(folder.resolve("head")).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    @Test
    void sliceKilledDuringASaveLeavesTheOlderStepOfEveryTier() throws Exception {
        try (var session = provision(folder);
                var runtime = session.runtime().orElseThrow();
                var manager = new Manager(runtime)) {
            var checkpoints = checkpoints(manager, folder);
            var save = halfSaved(session, runtime, checkpoints, folder);
            ProcessLossTest.signal(session, 1, "KILL");
            await().atMost(SOON).until(save::done);
            assertThat(save.failure()).isPresent();
            LossTest.awaitHealth(runtime, 1, Health.HEALTHY);
            assertThat(checkpoints.steps()).containsExactly(10L);
            var mesh = mesh(runtime);
            var back = checkpoints.load(mesh, state(runtime, mesh, 0));
            assertThat(back.toHost()).isEqualTo(value(10));
            // the same step can be saved again
            var again = checkpoints.save(20, state(runtime, mesh, 20));
            assertThat(again.await(SOON)).isTrue();
            assertThat(checkpoints.latest()).contains(20L);
        }
    }

    @Test
    void clientKilledDuringASaveLeavesTheOlderStepOfEveryTier() throws Exception {
        var client =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                Client.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        client.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        var running = client.start();
        try (var said = running.inputReader()) {
            assertThat(said.readLine()).isEqualTo(HALF);
        } finally {
            running.destroyForcibly().waitFor();
        }
        try (var session = provision(folder);
                var runtime = session.runtime().orElseThrow();
                var manager = new Manager(runtime)) {
            var checkpoints = checkpoints(manager, folder);
            assertThat(checkpoints.steps()).containsExactly(10L);
            var mesh = mesh(runtime);
            var back = checkpoints.restoreLatestOr(mesh, on -> state(runtime, on, 0));
            assertThat(back.toHost()).isEqualTo(value(10));
        }
    }

    /// A program that is killed from outside.
    static final class Client {
        private Client() {}

        public static void main(String[] args) throws Exception {
            var folder = Path.of(args[0]);
            var session = provision(folder);
            var runtime = session.runtime().orElseThrow();
            var unused =
                    halfSaved(session, runtime, checkpoints(new Manager(runtime), folder), folder);
            System.out.println(HALF);
            Thread.currentThread().join();
        }
    }

    /// Step 10 is complete; of step 20 slice 0 has written its part, and slice 1 never will.
    private static CheckpointSave halfSaved(
            Session session, MeshRuntime runtime, Checkpointer checkpoints, Path folder) {
        var mesh = mesh(runtime);
        assertThat(checkpoints.save(10, state(runtime, mesh, 10)).await(SOON)).isTrue();
        var next = state(runtime, mesh, 20);
        assertThat(next.toHost()).isEqualTo(value(20));
        ProcessLossTest.signal(session, 1, "STOP");
        var save = checkpoints.save(20, next);
        for (var tier : List.of("ram", "durable")) {
            await().atMost(SOON).until(() -> written(folder.resolve(tier)) > 0);
        }
        return save;
    }

    private static long written(Path tier) throws IOException {
        long bytes = 0;
        try (var files = Files.walk(tier)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().contains("20.writing-")) {
                    bytes += Files.size(file);
                }
            }
        }
        return bytes;
    }

    private static Session provision(Path folder) throws InterruptedException {
        var session = Session.open(SessionOptions.named("kill").withFolder(folder.resolve("head")));
        session.provision(
                ProvisionRequest.of(2)
                        .withRestartDelay(Duration.ofMillis(100))
                        .withHeartbeat(Duration.ofSeconds(20))
                        .force());
        return session;
    }

    private static Checkpointer checkpoints(Manager manager, Path folder) {
        return new Checkpointer(
                manager,
                "run",
                CheckpointOptions.DEFAULT
                        .ram(RamTier.DEFAULT.in(folder.resolve("ram")).withoutCopies())
                        .durable(DurableTier.at(folder.resolve("durable")).everySteps(1)));
    }

    private static Mesh mesh(MeshRuntime runtime) {
        return LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
    }

    private static Array state(MeshRuntime runtime, Mesh mesh, int step) {
        return runtime.put(value(step), mesh.sharding("replica"));
    }

    private static Array value(int step) {
        return Array.normal(step + 1, 64, 256);
    }
}
