package org.meshbook.elastic.chaos;

import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.mesh.Axis.axis;

import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.data.Audit;
import org.meshbook.elastic.data.Batches;
import org.meshbook.elastic.data.Data;
import org.meshbook.elastic.data.Feed;
import org.meshbook.elastic.data.Position;
import org.meshbook.elastic.jit.Jitted;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.Placement;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A head and slices that are real processes, and a small program on them whose result says whether
/// a step or a row was missed or came twice.
final class ChaosRun implements AutoCloseable {
    private static final int ROWS = 96;
    private static final int BATCH = 24; // divides over 1, 2, 3 and 4 slices

    private final Path folder = Files.createTempDirectory("meshbook-chaos-");
    private final Session session;
    private final MeshRuntime runtime;
    private final Batches<Array> batches =
            Data.<Array>of(Array.iota(DType.F32, ROWS)).shuffle(7).batch(BATCH);
    private final Jitted.Of2<Array, Array, Array> step =
            jit((Array w, Array x) -> w.mul(0.5).add(x.sum()));
    private final Set<Long> pids = ConcurrentHashMap.newKeySet();

    /// What is saved, lost and restored together.
    record State(Array w, Position data, Audit audit, long step) {}

    /// What a test does between two steps.
    interface Boundary {
        void after(long step, int attempt, Snapshotter snapshots) throws InterruptedException;
    }

    ChaosRun(int slices, Duration heartbeat) throws IOException, InterruptedException {
        session = Session.open(SessionOptions.named("chaos").withFolder(folder));
        runtime =
                session.provision(
                        ProvisionRequest.of(slices)
                                .withEngine("reference")
                                .withHeartbeat(heartbeat)
                                .withNotice(Duration.ofSeconds(5))
                                .withRestartDelay(Duration.ofMillis(100))
                                .force());
        runtime.watch(
                _ -> {
                    note();
                    runtime.clock().wake();
                });
        pids.add(session.headPid());
        note();
    }

    private void note() {
        runtime.view()
                .slices()
                .forEach(slice -> slice.hosts().stream().map(HostView::pid).forEach(pids::add));
        pids.remove(0L);
    }

    MeshRuntime runtime() {
        return runtime;
    }

    long headPid() {
        return session.headPid();
    }

    long pid(int slice) {
        return runtime.view().slices().get(slice).hosts().getFirst().pid();
    }

    /// Waits until all slices are there.
    boolean whole() throws InterruptedException {
        int all = runtime.view().slices().size();
        return runtime.clock()
                .await(Duration.ofSeconds(120), () -> runtime.view().healthy().size() == all);
    }

    State train(Manager manager, Retry retry, long steps, Boundary boundary) throws Exception {
        CurrentSlices.set(Optional.of(runtime));
        try (var snapshots = new Snapshotter(manager)) {
            return manager.elasticRetry(
                    retry,
                    attempt -> {
                        var mesh = mesh(manager);
                        var state = snapshots.restoreLatestOr(mesh, this::start);
                        try (var feed = batches.from(state.data())) {
                            while (state.step() < steps) {
                                state = next(mesh, state, feed);
                                if (state.step() % 5 == 0) {
                                    snapshots.save(state.step(), state);
                                }
                                boundary.after(state.step(), attempt.number(), snapshots);
                                attempt.completed(state.step());
                                var now = manager.resizeIfNeeded(mesh, state);
                                mesh = now.mesh();
                                state = now.state();
                            }
                        }
                        return new State(
                                state.w().toHost(), state.data(), state.audit(), state.step());
                    });
        }
    }

    private State next(Mesh mesh, State state, Feed<Array> feed) {
        var w = step.apply(state.w(), Placement.put(feed.next(), mesh.sharding("replica")));
        // A value that is read is a step that is finished.
        var unused = w.toHost();
        return new State(w, feed.position(), state.audit().plus(feed.taken()), state.step() + 1);
    }

    private static Mesh mesh(Manager manager) {
        return Mesh.of(manager.activeDevices(), axis("replica", manager.activeSliceCount()));
    }

    private State start(Mesh mesh) {
        return new State(
                Placement.put(Array.scalar(1f), mesh.replicated()),
                batches.start(),
                batches.audit(),
                0);
    }

    /// What so many steps yield without any fault.
    double expected(long steps) {
        float w = 1;
        var feed = batches.from(batches.start());
        try (feed) {
            for (long i = 0; i < steps; i++) {
                float sum = 0;
                var batch = feed.next().toHost();
                for (int row = 0; row < BATCH; row++) {
                    sum += (float) batch.get(row);
                }
                w = w * 0.5f + sum;
            }
        }
        return w;
    }

    /// Ends everything.
    ///
    /// @return process ids that are still there
    Set<Long> end() throws IOException {
        note();
        CurrentSlices.set(Optional.empty());
        session.close();
        LocalHead.at(folder).stop();
        pids.removeIf(ChaosRun::isGone);
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
        return Set.copyOf(pids);
    }

    @Override
    public void close() throws IOException {
        end();
    }

    private static boolean isGone(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z");
        } catch (IOException none) {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
        }
    }
}
