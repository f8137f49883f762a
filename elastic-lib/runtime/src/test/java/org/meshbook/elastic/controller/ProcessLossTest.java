package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceLost;

/// Programs on workers that are real processes, killed and stopped by signals.
@Timeout(180)
class ProcessLossTest {
    /// On a busy machine a worker that compiles may be silent for seconds.
    private static final Duration PATIENT = Duration.ofSeconds(10);

    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-loss-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        LocalHead.at(folder).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    private Session provision(int slices, Duration heartbeat) throws InterruptedException {
        var session = Session.open(SessionOptions.named("loss").withFolder(folder));
        session.provision(
                ProvisionRequest.of(slices)
                        .withDevices(2)
                        .withEngine("onnx")
                        .withRestartDelay(Duration.ofMillis(100))
                        .withHeartbeat(heartbeat)
                        .force());
        return session;
    }

    @Test
    void trainingSurvivesSigkillAndGrowsBack() throws Exception {
        try (var session = provision(3, PATIENT);
                var runtime = new MeshRuntime(session.membership())) {
            var all = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
            var params = TrainingTest.init().on(runtime, all.replicated());
            for (int step = 0; step < 5; step++) {
                params = TrainingTest.STEP.apply(params, batch(runtime, all, step)).params();
            }
            var copy = runtime.copyToHosts(params.leaves());
            assertThat(copy.await(Duration.ofSeconds(30))).isTrue();
            var kept = params.w1().toHost();
            // 1. a worker is killed while steps are under way
            signal(session, 1, "KILL");
            var last = params;
            var lost =
                    catchThrowableOfType(
                            SliceLost.class,
                            () -> {
                                while (true) {
                                    TrainingTest.STEP
                                            .apply(last, batch(runtime, all, 0))
                                            .loss()
                                            .toHost();
                                }
                            });
            assertThat(lost.kind()).isEqualTo(LossKind.PROCESS_GONE);
            assertThat(lost.slices()).containsExactly(1);
            assertThat(lost).hasMessageContaining("signal 9");
            // 2. the others go on from their own copies
            var two = LocalWorkers.mesh(runtime, List.of(0, 2), "replica", "model");
            var survivors = copy.readable(Set.of(0, 1, 2));
            assertThat(survivors).containsExactlyInAnyOrder(0, 2);
            var target = two.replicated();
            var loaded = copy.load(survivors, List.of(target, target, target, target));
            assertThat(loaded.getFirst().toHost().bytes()).isEqualTo(kept.bytes());
            params =
                    new TrainingTest.Params(
                            loaded.get(0), loaded.get(1), loaded.get(2), loaded.get(3));
            params = TrainingTest.STEP.apply(params, batch(runtime, two, 5)).params();
            // 3. and take the slice in again when it is back
            LossTest.awaitHealth(runtime, 1, Health.HEALTHY);
            params = params.on(runtime, all.replicated());
            assertThat(TrainingTest.STEP.apply(params, batch(runtime, all, 6)).loss().item())
                    .isPositive();
        }
    }

    @Test
    void aStoppedProcessIsALossWithinItsHeartbeats() throws Exception {
        try (var session = provision(2, Duration.ofSeconds(1));
                var runtime = new MeshRuntime(session.membership())) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
            Array array = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
            assertThat(array.toHost().type()).isEqualTo(array.type());
            signal(session, 1, "STOP");
            var lost =
                    catchThrowableOfType(
                            SliceLost.class,
                            () -> {
                                // The signal may arrive after a read.
                                while (true) {
                                    array.toHost();
                                }
                            });
            assertThat(lost.slices()).containsExactly(1);
            assertThat(lost.kind()).isEqualTo(LossKind.HUNG);
            assertThat(lost).hasMessageContaining("missed 3 heartbeats of 1000 ms");
        }
    }

    private static TrainingTest.Batch batch(MeshRuntime runtime, Mesh mesh, int step) {
        var batch = TrainingTest.batch(step);
        return new TrainingTest.Batch(
                runtime.put(batch.x(), mesh.sharding("replica")),
                runtime.put(batch.y(), mesh.sharding("replica")));
    }

    private static void signal(Session session, int slice, String name) throws Exception {
        long pid = session.membership().now().view().slices().get(slice).hosts().getFirst().pid();
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
                .isZero();
    }
}
