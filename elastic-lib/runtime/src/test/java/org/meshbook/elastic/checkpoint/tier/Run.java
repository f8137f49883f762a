package org.meshbook.elastic.checkpoint.tier;

import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.sim.Simulation;

/// A run on virtual slices whose checkpoints are real files below a folder of the test.
final class Run {
    enum Phase {
        WARM,
        MAIN
    }

    record State(Array w, List<Array> moments, HostArray key, long position, Phase phase) {}

    static final ArrayType W = ArrayType.of(DType.F32, 24, 8);
    static final ArrayType M = ArrayType.of(DType.F64, 24);

    final Path folder;
    final Simulation sim;
    final Manager manager;
    final RamTier ram;
    final DurableTier durable;

    Run(Path folder, int slices) {
        this.folder = folder;
        this.sim = Simulation.of(slices, 2).withoutReturns();
        this.manager = new Manager(sim);
        this.ram = RamTier.DEFAULT.in(folder.resolve("ram")).keep(Retention.last(2));
        this.durable = DurableTier.at(folder.resolve("durable")).everySteps(1);
    }

    Checkpointer of(CheckpointOptions options) {
        return new Checkpointer(manager, "run", options);
    }

    Checkpointer inRam() {
        return of(CheckpointOptions.DEFAULT.ram(ram));
    }

    Checkpointer inFolder() {
        return of(CheckpointOptions.DEFAULT.onlyDurable(durable));
    }

    Checkpointer inBoth() {
        return of(CheckpointOptions.DEFAULT.ram(ram).durable(durable));
    }

    Mesh mesh(Integer... slices) {
        var chosen = List.of(slices);
        var devices = sim.devices().stream().filter(d -> chosen.contains(d.slice())).toList();
        return Mesh.of(devices, axis("replica", slices.length), axis("model", 2));
    }

    State state(Mesh mesh, int seed) {
        return new State(
                sim.put(values(W, seed), mesh.sharding("", "model")),
                List.of(
                        sim.put(values(M, seed + 1), mesh.replicated()),
                        sim.put(values(M, seed + 2), mesh.sharding("replica"))),
                values(ArrayType.of(DType.I64, 2), seed),
                seed * 100L,
                seed % 2 == 0 ? Phase.WARM : Phase.MAIN);
    }

    static HostArray values(ArrayType type, int seed) {
        var array = HostArray.zeros(type);
        var bytes = array.bytes();
        IntStream.range(0, bytes.limit()).forEach(i -> bytes.put(i, (byte) (i * 31 + seed * 7)));
        return array;
    }

    static List<Object> content(State state) {
        return List.of(
                state.w().toHost(),
                state.moments().get(0).toHost(),
                state.moments().get(1).toHost(),
                state.key(),
                state.position(),
                state.phase());
    }

    void saved(Checkpointer to, long step, State state) {
        var save = to.save(step, state);
        if (!save.await(Duration.ofMinutes(1))) {
            throw new AssertionError(save.toString(), save.failure().orElse(null));
        }
    }

    void lose(int slice) {
        sim.kill(slice);
        pass(Duration.ofMillis(100));
    }

    void back(int slice) {
        sim.restart(slice);
        pass(Duration.ofMillis(100));
    }

    void pass(Duration time) {
        try {
            sim.clock().sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Files below the folder whose path holds a text.
    List<Path> files(String text) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> folder.relativize(path).toString().contains(text))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> folders(String text) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isDirectory)
                    .map(path -> folder.relativize(path).toString())
                    .filter(path -> path.contains(text))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
