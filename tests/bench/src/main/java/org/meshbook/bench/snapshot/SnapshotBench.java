package org.meshbook.bench.snapshot;

import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.checkpoint.SaveResult;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.Placement;

/// Snapshots of a large state on four slices: what a save holds up, how long it takes, what it
/// costs the steps beside it, and how fast the state comes back after a kill.
final class SnapshotBench {
    private static final int SLICES = 4;
    private static final int DEVICES = 2;
    private static final int INTERVAL = 10;
    private static final int RESTORES = 5;

    /// A machine under load must not end a worker that is only slow.
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Options options;
    private final PrintStream out;

    /// @param mib size of the state at each slice
    /// @param rows of a batch
    /// @param rounds saves, and pairs of intervals
    record Options(int mib, int rows, int rounds) {}

    SnapshotBench(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    SnapshotResult run() throws InterruptedException {
        try (var session = Session.open(SessionOptions.named("bench snapshot"))) {
            session.provision(
                    ProvisionRequest.of(SLICES)
                            .withEngine("onnx")
                            .withDevices(DEVICES)
                            .withHeartbeat(HEARTBEAT));
            try (var runtime = session.runtime().orElseThrow()) {
                CurrentSlices.set(Optional.of(runtime));
                try (var manager = Manager.current();
                        var snapshots = new Snapshotter(manager)) {
                    return measure(runtime, manager, snapshots);
                }
            } finally {
                CurrentSlices.set(Optional.empty());
            }
        }
    }

    private SnapshotResult measure(MeshRuntime runtime, Manager manager, Snapshotter snapshots)
            throws InterruptedException {
        // 1. the state, and memory that was touched before
        var all = mesh(manager, Set.of(0, 1, 2, 3));
        int width = SnapshotLoop.width((long) options.mib() << 20);
        var loop = new SnapshotLoop(all, width, options.rows());
        var state = loop.steps(SnapshotLoop.fresh(all, width), 1);
        long bytes = Snapshotter.estimateBytes(state);
        out.println("a state of %,d bytes at each of %d slices".formatted(bytes, SLICES));
        for (int i = 0; i < 3; i++) {
            snapshots.save(i, state);
            snapshots.join();
        }
        // 2. saves on their own
        var blocking = new ArrayList<Duration>();
        var computing = new ArrayList<Duration>();
        var complete = new ArrayList<Duration>();
        var beside = new ArrayList<Duration>();
        var alone = new ArrayList<Duration>();
        var small = Placement.put(Array.zeros(8), all.replicated());
        for (int i = 0; i < options.rounds(); i++) {
            alone.add(timed(() -> small.add(1).toHost()));
            long used = THREADS.getCurrentThreadCpuTime();
            long begun = System.nanoTime();
            var saved = (SaveResult.Accepted) snapshots.save(10 + i, state);
            blocking.add(since(begun));
            computing.add(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - used));
            beside.add(timed(() -> small.add(1).toHost()));
            saved.await(LONG);
            complete.add(since(begun));
        }
        // 3. intervals with a save and without, in turns
        var without = new ArrayList<Duration>();
        var with = new ArrayList<Duration>();
        for (int i = 0; i < options.rounds(); i++) {
            for (boolean save : i % 2 == 0 ? List.of(false, true) : List.of(true, false)) {
                var begun = System.nanoTime();
                if (save) {
                    snapshots.save(state.step(), state);
                }
                state = loop.steps(state, INTERVAL);
                (save ? with : without).add(since(begun));
                snapshots.join();
            }
        }
        // 4. a kill, and restores onto the three that are left
        snapshots.save(state.step(), state);
        snapshots.join();
        kill(runtime, SLICES - 1);
        var rest = mesh(manager, Set.of(0, 1, 2));
        var like = SnapshotLoop.fresh(rest, width);
        var restores = new ArrayList<Duration>();
        for (int i = 0; i < RESTORES; i++) {
            restores.add(timed(() -> snapshots.load(rest, like, false)));
        }
        return new SnapshotResult(
                bytes, blocking, computing, complete, alone, beside, without, with, restores);
    }

    private static void kill(MeshRuntime runtime, int slice) throws InterruptedException {
        for (var host : runtime.view().slices().get(slice).hosts()) {
            ProcessHandle.of(host.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
        runtime.clock().await(LONG, () -> !runtime.view().healthy().contains(slice));
    }

    private static Mesh mesh(Manager manager, Set<Integer> slices) {
        var devices =
                manager.slices().devices().stream()
                        .filter(device -> slices.contains(device.slice()))
                        .toList();
        return Mesh.of(devices, axis("replica", slices.size()), axis("model", DEVICES));
    }

    private static Duration timed(Runnable work) {
        long begun = System.nanoTime();
        work.run();
        return since(begun);
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
