package org.meshbook.elastic.checkpoint;

import static org.meshbook.elastic.mesh.Axis.axis;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.sim.Simulation;

/// Four virtual slices of two devices, and small states on them.
final class Given {
    static final Duration COPY = Duration.ofMillis(100);

    final Simulation sim = Simulation.of(4, 2).withoutReturns();
    final Manager manager = new Manager(sim);

    record State(Array w, long step) {}

    Mesh on(Integer... slices) {
        var set = new TreeSet<>(List.of(slices));
        var devices = sim.devices().stream().filter(d -> set.contains(d.slice())).toList();
        return Mesh.of(devices, axis("replica", slices.length), axis("model", 2));
    }

    Array array(Mesh mesh, double value) {
        return sim.put(Array.of((float) value, 0), mesh.sharding("model"));
    }

    State state(Mesh mesh, long step) {
        return new State(array(mesh, step), step);
    }

    void saved(Snapshotter snapshots, long step, Object state) {
        snapshots.save(step, state);
        snapshots.join();
    }

    void lose(int... slices) {
        for (int slice : slices) {
            sim.kill(slice);
        }
        pass(COPY);
    }

    void pass(Duration time) {
        try {
            sim.clock().await(time, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
