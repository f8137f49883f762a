package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.meshbook.elastic.jit.Jit.jit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.data.Data;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.train.GlobalBatch;
import org.meshbook.elastic.train.Trainer;

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
                var runtime = session.runtime().orElseThrow()) {
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
                var runtime = session.runtime().orElseThrow()) {
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

    @Test
    void allButOneKilledWaitsForEnoughAndGoesOn() throws Exception {
        try (var session = provision(3, PATIENT);
                var runtime = session.runtime().orElseThrow();
                var manager = new Manager(runtime);
                var snapshots = new Snapshotter(manager)) {
            var waits = new CopyOnWriteArrayList<String>();
            manager.onEvent(
                    event -> {
                        if (event instanceof ElasticEvent.Waiting) {
                            waits.add(event.toString());
                        }
                    });
            var run = new ArrayList<Long>();
            var data = Data.<Array>of(Array.iota(DType.F32, 96)).shuffle(7);
            var step = jit((Array w, Array rows) -> w.mul(0.5).add(rows.sum()));
            var last =
                    new Trainer<>(manager, snapshots, data, GlobalBatch.constant(24))
                            .retry(Retry.atLeast(2))
                            .watch(
                                    (number, mesh) -> {
                                        run.add(number);
                                        if (number == 15 && run.size() == 15) {
                                            snapshots.join();
                                            signal(session, 1, "KILL");
                                            signal(session, 2, "KILL");
                                        }
                                    })
                            .train(
                                    mesh -> runtime.put(Array.scalar(1f), mesh.replicated()),
                                    step::apply,
                                    40);
            Array expected = Array.scalar(1f);
            long position = 0;
            for (int i = 0; i < 40; i++) {
                expected = expected.mul(0.5).add(data.batch(24).at(position).sum());
                position = data.batch(24).next(position);
            }
            assertThat(last.item()).isEqualTo(expected.item());
            assertThat(waits)
                    .anyMatch(line -> line.contains("waiting for 2 slices: 1 answers (0)"));
            // It went on from the snapshot of step 10.
            assertThat(run.subList(0, 15)).doesNotHaveDuplicates();
            assertThat(run).filteredOn(number -> number == 10).hasSize(1);
            assertThat(run).filteredOn(number -> number == 11).hasSizeGreaterThan(1);
        }
    }

    @Test
    void terminatedSliceIsLeftBetweenTwoStepsAndNoneIsLost() throws Exception {
        try (var session = provision(3, PATIENT);
                var runtime = session.runtime().orElseThrow();
                var manager = new Manager(runtime);
                var snapshots = new Snapshotter(manager)) {
            var data = Data.<Array>of(Array.iota(DType.F32, 96));
            var step = jit((Array w, Array rows) -> w.mul(0.5).add(rows.sum()));
            var left = new AtomicBoolean();
            manager.onEvent(event -> left.compareAndSet(false, event instanceof ElasticEvent.Left));
            var run = new ArrayList<Long>();
            new Trainer<>(manager, snapshots, data, GlobalBatch.constant(24))
                    .watch(
                            (number, mesh) -> {
                                run.add(number);
                                if (number == 5) {
                                    signal(session, 0, "TERM");
                                    Awaitility.await()
                                            .atMost(Duration.ofMinutes(1))
                                            .until(() -> !manager.leavingSlices().isEmpty());
                                }
                            })
                    .train(
                            mesh -> runtime.put(Array.scalar(1f), mesh.replicated()),
                            step::apply,
                            20);
            assertThat(run).hasSize(20).doesNotHaveDuplicates();
            assertThat(left).isTrue();
        }
    }

    private static TrainingTest.Batch batch(MeshRuntime runtime, Mesh mesh, int step) {
        var batch = TrainingTest.batch(step);
        return new TrainingTest.Batch(
                runtime.put(batch.x(), mesh.sharding("replica")),
                runtime.put(batch.y(), mesh.sharding("replica")));
    }

    static void signal(Session session, int slice, String name) {
        signal(session, slice, 0, name);
    }

    static void signal(Session session, int slice, int host, String name) {
        long pid = session.membership().now().view().slices().get(slice).hosts().get(host).pid();
        // 0 would be this process's own group.
        assertThat(pid).isPositive();
        try {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
