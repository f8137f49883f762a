package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.meshbook.elastic.jit.Jit.jit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.train.GlobalBatch;
import org.meshbook.elastic.train.Trainer;

/// Slices that are put into images when they are asked to end, with real processes.
@Timeout(180)
@Tag("chaos")
class SuspendTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<SliceEvent> events = new CopyOnWriteArrayList<>();
    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-suspend-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        LocalHead.at(folder).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    private Session provision(int hosts, Duration notice) throws InterruptedException {
        var session = Session.open(SessionOptions.named("suspend").withFolder(folder));
        session.provision(
                ProvisionRequest.of(2)
                        .withDevices(2)
                        .withHosts(hosts)
                        .withRestartDelay(Duration.ofMillis(100))
                        .withHeartbeat(Duration.ofSeconds(10))
                        .withNotice(notice)
                        .withSuspend(true)
                        .force());
        session.runtime().orElseThrow().watch(events::add);
        return session;
    }

    @Test
    void suspendedSliceComesBackWithItsArraysBitByBit() throws Exception {
        try (var session = provision(2, PATIENCE);
                var runtime = session.runtime().orElseThrow()) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
            var large = Array.normal(3, 64, 5_000);
            var cut = runtime.put(large, mesh.sharding("replica", "model"));
            var copy = runtime.copyToHosts(List.of(cut));
            assertThat(copy.await(PATIENCE)).isTrue();
            long before = pid(session, 1);

            ProcessLossTest.signal(session, 1, "TERM");
            await().atMost(PATIENCE).until(() -> !events.isEmpty());
            // 1. what is asked meanwhile waits; a dispatch, too
            var doubled = runtime.put(cut, mesh.replicated()).mul(2f);
            assertThat(cut.toHost().bytes()).isEqualTo(large.toHost().bytes());
            assertThat(doubled.toHost().bytes()).isEqualTo(large.mul(2f).toHost().bytes());
            // 2. it is the same generation in new processes, and nothing is lost
            assertThat(events)
                    .extracting(event -> event.getClass().getSimpleName())
                    .containsExactly("Draining", "Suspended", "Resumed");
            assertThat(((SliceEvent.Suspended) events.get(1)).bytes())
                    .isGreaterThan(large.type().bytes() / 2);
            var slice = session.membership().now().view().slices().get(1);
            assertThat(slice.state()).isEqualTo(SliceState.HEALTHY);
            assertThat(slice.generation()).isEqualTo(1);
            assertThat(pid(session, 1)).isNotEqualTo(before);
            assertThat(copy.readable(Set.of(0, 1))).containsExactlyInAnyOrder(0, 1);
            // 3. again, with what was freed meanwhile gone
            events.clear();
            ProcessLossTest.signal(session, 0, "TERM");
            await().atMost(PATIENCE).until(() -> !events.isEmpty());
            copy.release();
            assertThat(cut.toHost().bytes()).isEqualTo(large.toHost().bytes());
            assertThat(images()).isEmpty();
        }
    }

    @Test
    void trainingTakesALongStepWhenASliceIsSuspended() throws Exception {
        try (var session = provision(1, PATIENCE);
                var runtime = session.runtime().orElseThrow();
                var manager = new Manager(runtime);
                var snapshots = new Snapshotter(manager)) {
            var told = new CopyOnWriteArrayList<String>();
            manager.onEvent(event -> told.add(event.getClass().getSimpleName()));
            var data = Data.<Array>of(Array.iota(DType.F32, 96));
            var step = jit((Array w, Array rows) -> w.mul(0.5).add(rows.sum()));
            var run = new ArrayList<Long>();
            var last =
                    new Trainer<>(manager, snapshots, data, GlobalBatch.constant(24))
                            .watch(
                                    (number, mesh) -> {
                                        run.add(number);
                                        if (number == 5) {
                                            ProcessLossTest.signal(session, 1, "TERM");
                                        }
                                    })
                            .train(
                                    mesh -> runtime.put(Array.scalar(1f), mesh.replicated()),
                                    (w, rows) -> {
                                        if (run.size() == 8) {
                                            await().atMost(PATIENCE)
                                                    .until(() -> told.contains("Suspending"));
                                        }
                                        return step.apply(w, rows);
                                    },
                                    20);
            Array expected = Array.scalar(1f);
            long position = 0;
            for (int i = 0; i < 20; i++) {
                expected = expected.mul(0.5).add(data.batch(24).at(position).sum());
                position = data.batch(24).next(position);
            }
            assertThat(last.item()).isEqualTo(expected.item());
            assertThat(run).hasSize(20).doesNotHaveDuplicates();
            assertThat(told)
                    .containsSubsequence("Suspending", "Suspended", "Resumed", "Finished")
                    .doesNotContain("SliceDown", "AttemptEnded");
            assertThat(manager.recoveries().all()).isEmpty();
        }
    }

    @Test
    void imageThatIsNotCompleteInTimeIsALossAndNothingOfItIsUsed() throws Exception {
        try (var session = provision(2, Duration.ofSeconds(1));
                var runtime = session.runtime().orElseThrow()) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
            var array = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
            assertThat(array.toHost().type()).isEqualTo(array.type());
            // one of its hosts cannot write its image
            ProcessLossTest.signal(session, 1, 1, "STOP");
            ProcessLossTest.signal(session, 1, "TERM");
            var lost = catchThrowableOfType(SliceLost.class, () -> readForEver(array));
            assertThat(lost.kind()).isEqualTo(LossKind.ANNOUNCED);
            assertThat(lost)
                    .hasMessageContaining("was asked to end, and its image was not complete");
            await().atMost(PATIENCE).until(() -> events.getLast() instanceof SliceEvent.Joined);
            assertThat(runtime.view().slices().get(1).generation()).isEqualTo(2);
            assertThat(images()).isEmpty();
            assertThatThrownBy(array::toHost).isInstanceOf(SliceLost.class);
        }
    }

    @Test
    void sliceWhoseFunctionsKeepAStateLeavesInstead() throws Exception {
        try (var session = provision(1, PATIENCE);
                var runtime = session.runtime().orElseThrow()) {
            var call = runtime.onHosts(HostCall.of(Counter.class, runtime.devices()));
            assertThat(call.await(PATIENCE)).isTrue();
            ProcessLossTest.signal(session, 1, "TERM");
            await().atMost(PATIENCE).until(() -> events.getLast() instanceof SliceEvent.Leaving);
            assertThat(((SliceEvent.Leaving) events.getLast()).cause())
                    .contains("cannot be suspended: host function")
                    .contains("Counter")
                    .contains("keeps a state");
            // it serves on, and the program moves off it
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
            assertThat(runtime.put(Array.scalar(7f), mesh.replicated()).item()).isEqualTo(7);
        }
    }

    static final class Counter implements HostFunction {
        private byte calls;

        @Override
        public byte[] call(Host host, byte[] arguments) {
            return new byte[] {++calls};
        }
    }

    private static void readForEver(Array array) {
        // The signal may arrive after a read.
        while (true) {
            array.toHost();
        }
    }

    private static List<Path> images() throws IOException {
        var root =
                Path.of(System.getProperty("java.io.tmpdir"))
                        .resolve("meshbook-" + System.getProperty("user.name") + "-workers");
        try (var files = Files.list(root)) {
            return files.filter(file -> file.toString().contains("-image-")).toList();
        }
    }

    private static long pid(Session session, int slice) {
        return session.membership().now().view().slices().get(slice).hosts().getFirst().pid();
    }
}
