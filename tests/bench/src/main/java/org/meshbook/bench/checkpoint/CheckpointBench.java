package org.meshbook.bench.checkpoint;

import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.tier.CheckpointOptions;
import org.meshbook.elastic.checkpoint.tier.Checkpointer;
import org.meshbook.elastic.checkpoint.tier.DurableTier;
import org.meshbook.elastic.checkpoint.tier.RamTier;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.kernel.spi.MagicException;

/// Saves one state again and again, and restores it from each tier.
final class CheckpointBench {
    private static final int LEAVES = 8;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Options options;
    private final MeshRuntime runtime;
    private final Map<String, List<Duration>> times = new LinkedHashMap<>();

    /// @param rounds how often each is measured
    /// @param megabytes of the state
    /// @param folder the durable place
    record Options(int rounds, int megabytes, Path folder) {}

    record State(List<Array> weights, long step) {}

    CheckpointBench(Options options, MeshRuntime runtime) {
        this.options = options;
        this.runtime = runtime;
    }

    CheckpointResult run() throws IOException, InterruptedException {
        var ram = Files.createTempDirectory(memory(), "meshbook-bench");
        var durable = Files.createTempDirectory(options.folder(), "meshbook-bench");
        try (var manager = Manager.current()) {
            return measure(manager, ram, durable);
        } finally {
            deleteTree(ram);
            deleteTree(durable);
        }
    }

    private static Path memory() {
        var shared = Path.of("/dev/shm");
        return Files.isDirectory(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private CheckpointResult measure(Manager manager, Path ram, Path durable)
            throws IOException, InterruptedException {
        var mesh =
                Mesh.of(
                        manager.activeDevices(),
                        axis("replica", manager.activeSliceCount()),
                        axis("model", manager.activeDevices().size() / manager.activeSliceCount()));
        var state = state(mesh);
        runtime.awaitReady(state.weights(), LONG);
        var onRam =
                new Checkpointer(
                        manager, "bench", CheckpointOptions.DEFAULT.ram(RamTier.DEFAULT.in(ram)));
        var onDisk =
                new Checkpointer(
                        manager,
                        "bench",
                        CheckpointOptions.DEFAULT.onlyDurable(
                                DurableTier.at(durable).everySteps(1)));
        // The first round warms up the workers and is not counted.
        for (int round = 0; round <= options.rounds(); round++) {
            if (round == 1) {
                times.clear();
            }
            save(onRam, "RAM disk and next slice", round + 1, state);
            restore(onRam, "RAM disk", Tier.LOCAL, mesh, state);
            save(onDisk, "folder", round + 1, state);
            restore(onDisk, "folder", Tier.DURABLE, mesh, state);
        }
        deleteTree(ram.resolve("bench").resolve("slice-1-host-0"));
        for (int round = 1; round <= options.rounds(); round++) {
            restore(onRam, "next slice's RAM disk", Tier.PEER, mesh, state);
        }
        return new CheckpointResult(bytes(state), times);
    }

    private State state(Mesh mesh) {
        int rows = Math.max(2, options.megabytes() * 1_000_000 / LEAVES / 4 / 1024 / 2 * 2);
        var weights = new ArrayList<Array>();
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            var values = HostArray.zeros(ArrayType.of(DType.F32, rows, 1024));
            var floats = values.bytes().asFloatBuffer();
            for (int i = 0; i < floats.limit(); i++) {
                floats.put(i, i * 31 + leaf);
            }
            weights.add(runtime.put(values, mesh.sharding("model")));
        }
        return new State(weights, 1);
    }

    private static long bytes(State state) {
        return state.weights().stream().mapToLong(w -> w.type().bytes()).sum();
    }

    private void save(Checkpointer to, String what, long step, State state) {
        long start = System.nanoTime();
        var save = to.save(step, state);
        note("save to " + what + ", blocking", start);
        if (!save.await(LONG)) {
            throw new MagicException("bench checkpoint: " + save);
        }
        note("save to " + what, start);
    }

    private void restore(Checkpointer from, String what, Tier tier, Mesh mesh, State like)
            throws InterruptedException {
        long start = System.nanoTime();
        var back = from.load(mesh, like);
        note("restore from " + what, start);
        var report = from.lastRestore().orElseThrow();
        if (report.tier() != tier
                || !back.weights().getLast().toHost().equals(like.weights().getLast().toHost())) {
            throw new MagicException("bench checkpoint: not what was saved: " + report);
        }
        runtime.free(back.weights(), "with its round");
    }

    private void note(String what, long start) {
        times.computeIfAbsent(what, _ -> new ArrayList<>())
                .add(Duration.ofNanos(System.nanoTime() - start));
    }

    private static void deleteTree(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder())
                    .forEach(
                            path -> {
                                try {
                                    Files.delete(path);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
        }
    }
}
