package org.meshbook.elastic.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.checkpoint.tier.CheckpointFailed;
import org.meshbook.elastic.checkpoint.tier.CheckpointOptions;
import org.meshbook.elastic.checkpoint.tier.Checkpointer;
import org.meshbook.elastic.checkpoint.tier.RamTier;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
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

/// A head and slices that are real processes, and a small program on them whose result says whether
/// a step or a row was missed or came twice.
final class ChaosRun implements AutoCloseable {
    private static final int ROWS = 96;
    private static final int BATCH = 24; // divides over 1, 2, 3 and 4 slices

    private final Path folder = Files.createTempDirectory("meshbook-chaos-");
    private final SessionOptions options = SessionOptions.named("chaos").withFolder(folder);
    private Session session;
    private MeshRuntime runtime;
    private final Batches<Array> batches =
            Data.<Array>of(Array.iota(DType.F32, ROWS)).shuffle(7).batch(BATCH);
    private final Jitted.Of2<Array, Array, Array> step =
            jit((Array w, Array x) -> w.mul(0.5).add(x.sum()));
    private final Set<Long> pids = ConcurrentHashMap.newKeySet();
    private final List<String> notSaved = new CopyOnWriteArrayList<>();

    /// What is saved, lost and restored together.
    ///
    /// @param w the result so far
    /// @param past its values after the steps before, the newest first; other hosts write them
    record State(Array w, List<Array> past, Position data, Audit audit, long step) {}

    /// What a test does between two steps.
    interface Boundary {
        void after(long step, int attempt) throws InterruptedException;
    }

    ChaosRun(int slices, Duration heartbeat) throws IOException, InterruptedException {
        session = Session.open(options);
        runtime =
                session.provision(
                        ProvisionRequest.of(slices)
                                .withEngine("reference")
                                .withHeartbeat(heartbeat)
                                .withNotice(Duration.ofSeconds(5))
                                .withRestartDelay(Duration.ofMillis(100))
                                .force());
        pids.add(session.headPid());
        follow();
    }

    private void follow() {
        note();
        runtime.watch(
                _ -> {
                    note();
                    runtime.clock().wake();
                });
    }

    /// Leaves the slices as they are, and comes back to them.
    void leaveAndComeBack() {
        note();
        var token = session.token();
        session.detach(Optional.empty());
        session = Session.open(options.withToken(token));
        runtime = session.runtime().orElseThrow();
        follow();
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

    /// A snapshot and a checkpoint after each fifth step; restored is the newest that is whole.
    /// What is restored, and the last state, must be what the same steps yield without any fault.
    ///
    /// @param name of the run; the same goes on where it was
    void train(Manager manager, String name, Retry retry, long steps, Boundary boundary)
            throws Exception {
        CurrentSlices.set(Optional.of(runtime));
        try (var snapshots = new Snapshotter(manager)) {
            var checkpoints = new Checkpointer(manager, name, tiers(snapshots));
            var unused =
                    manager.elasticRetry(
                            retry,
                            attempt -> {
                                var mesh = mesh(manager);
                                var state = checkpoints.restoreLatestOr(mesh, this::start);
                                requireOneStep(state);
                                try (var feed = batches.from(state.data())) {
                                    while (state.step() < steps) {
                                        state = next(mesh, state, feed);
                                        if (state.step() % 5 == 0) {
                                            snapshots.save(state.step(), state);
                                            var now = state;
                                            told(() -> checkpoints.save(now.step(), now));
                                        }
                                        boundary.after(state.step(), attempt.number());
                                        attempt.completed(state.step());
                                        var resized = manager.resizeIfNeeded(mesh, state);
                                        mesh = resized.mesh();
                                        state = resized.state();
                                    }
                                }
                                told(checkpoints::join);
                                requireOneStep(state);
                                return state;
                            });
        }
    }

    private CheckpointOptions tiers(Snapshotter snapshots) {
        var ram = RamTier.DEFAULT.in(folder.resolve("ram")).keep(Retention.last(3));
        return CheckpointOptions.DEFAULT.ram(ram).snapshots(snapshots);
    }

    /// The program can do without a checkpoint that failed.
    private void told(Runnable action) {
        try {
            action.run();
        } catch (CheckpointFailed failed) {
            notSaved.add(String.valueOf(failed.getMessage()));
        }
    }

    /// @return what the program was told of checkpoints that failed
    List<String> notSaved() {
        return notSaved;
    }

    private State next(Mesh mesh, State state, Feed<Array> feed) {
        var w = step.apply(state.w(), Placement.put(feed.next(), mesh.sharding("replica")));
        // A value that is read is a step that is finished.
        var unused = w.toHost();
        var past = List.of(state.w(), state.past().get(0), state.past().get(1));
        return new State(
                w, past, feed.position(), state.audit().plus(feed.taken()), state.step() + 1);
    }

    private static Mesh mesh(Manager manager) {
        return Mesh.of(manager.activeDevices(), axis("replica", manager.activeSliceCount()));
    }

    private State start(Mesh mesh) {
        return new State(
                one(mesh),
                List.of(one(mesh), one(mesh), one(mesh)),
                batches.start(),
                batches.audit(),
                0);
    }

    private static Array one(Mesh mesh) {
        return Placement.put(Array.scalar(1f), mesh.replicated());
    }

    /// Every part of a state is of the step that it says, and each row was used once.
    private void requireOneStep(State state) {
        assertThat(state.w().item()).as("step %d", state.step()).isEqualTo(expected(state.step()));
        for (int i = 0; i < state.past().size(); i++) {
            assertThat(state.past().get(i).item())
                    .as("%d before step %d", i + 1, state.step())
                    .isEqualTo(expected(state.step() - i - 1));
        }
        assertThat(state.audit().exactlyOnce()).as(state.audit().certificate()).isTrue();
    }

    /// What so many steps yield without any fault.
    private double expected(long steps) {
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
