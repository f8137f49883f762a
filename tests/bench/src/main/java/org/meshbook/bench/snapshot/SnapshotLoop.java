package org.meshbook.bench.snapshot;

import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.slices.Placement.put;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.jit.Jitted;
import org.meshbook.elastic.mesh.Mesh;

/// A network of square layers, trained data-parallel over the slices; its parameters are the state.
final class SnapshotLoop {
    private static final int LAYERS = 8;
    private static final double RATE = 1e-3;

    record State(List<Array> layers, long step) {}

    private final Array batch;
    private final Jitted.Of2<List<Array>, Array, Pair<List<Array>, Array>> train =
            jit(
                    (List<Array> layers, Array x) -> {
                        var g = valueAndGrad(SnapshotLoop::loss).apply(layers, x);
                        return pair(
                                Tree.map(layers, g.grad(), (w, slope) -> w.sub(slope.mul(RATE))),
                                g.value());
                    });

    SnapshotLoop(Mesh mesh, int width, int rows) {
        batch = put(Array.normal(1, rows, width), mesh.sharding("replica"));
    }

    /// @return layers whose width makes a state of about so many bytes
    static int width(long bytes) {
        // A multiple of 16 divides over the devices of a slice and suits the engine.
        return Math.max(16, (int) Math.sqrt(bytes / 4.0 / LAYERS) / 16 * 16);
    }

    static State fresh(Mesh mesh, int width) {
        var layers = new ArrayList<Array>();
        for (int i = 0; i < LAYERS; i++) {
            var sharding = i % 2 == 0 ? mesh.sharding("", "model") : mesh.sharding("model");
            layers.add(put(Array.normal(i + 2, width, width).mul(1 / Math.sqrt(width)), sharding));
        }
        return new State(layers, 0);
    }

    /// Steps that are computed when this returns.
    State steps(State state, int count) {
        var layers = state.layers();
        Array loss = batch;
        for (int i = 0; i < count; i++) {
            var done = train.apply(layers, batch);
            layers = done.first();
            loss = done.second();
        }
        var unused = loss.toHost();
        return new State(layers, state.step() + count);
    }

    private static Array loss(List<Array> layers, Array x) {
        var h = x;
        for (var w : layers) {
            h = h.matmul(w).tanh();
        }
        return h.square().mean();
    }
}
