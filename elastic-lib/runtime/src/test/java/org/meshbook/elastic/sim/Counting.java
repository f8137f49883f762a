package org.meshbook.elastic.sim;

import static org.meshbook.elastic.mesh.Axis.axis;

import java.time.Duration;
import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;

/// A training loop of counters: the value depends on every step and on their order.
public final class Counting {
    private Counting() {}

    public record State(Array sum, long step) {}

    public static Mesh mesh(Manager manager) {
        var devices = manager.activeDevices();
        int slices = manager.activeSliceCount();
        return Mesh.of(devices, axis("replica", slices), axis("model", devices.size() / slices));
    }

    public static State start(Simulation sim, Mesh mesh) {
        return new State(sim.put(Array.scalar(1.0), mesh.replicated()), 0);
    }

    public static State next(Simulation sim, Mesh mesh, State state, Duration time) {
        var step = state.step();
        var sum =
                sim.compute(
                        mesh.replicated(),
                        time,
                        List.of(state.sum()),
                        in -> Array.scalar(fold(in.getFirst().get(0), step)));
        return new State(sum, step + 1);
    }

    public static double after(long steps) {
        double sum = 1;
        for (long step = 0; step < steps; step++) {
            sum = fold(sum, step);
        }
        return sum;
    }

    private static double fold(double sum, long step) {
        return (sum * 31 + step) % 1_000_003;
    }
}
