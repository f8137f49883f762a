package org.meshbook.bench;

import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.mesh.Axis.axis;
import static org.meshbook.elastic.slices.Placement.put;

import java.util.function.BooleanSupplier;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.data.Batches;
import org.meshbook.elastic.jit.Jitted;
import org.meshbook.elastic.manager.Attempt;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;

/// The program that loses slices: an MLP trained data-parallel over the slices, as a user would
/// write it.
final class TrainingLoop {
    private static final int ROWS = 960;
    private static final int BATCH = 96; // divides over 1, 2, 3 and 4 slices
    private static final int IN = 64;
    private static final int HIDDEN = 64;
    private static final int OUT = 10;
    private static final double RATE = 0.1;
    private static final int SAVE_EVERY = 5;

    private final Manager manager;
    private final int devices;
    private final Progress progress;
    private final Jitted.Of2<Params, Batch, Pair<Params, Array>> step =
            jit(
                    (Params p, Batch b) -> {
                        var g = valueAndGrad(TrainingLoop::loss).apply(p, b);
                        return pair(descend(p, g.grad()), g.value());
                    });
    private final Batches<Batch> batches = Batches.of(rows(), BATCH).shuffled(7);

    record Params(Array w1, Array b1, Array w2, Array b2) {}

    record Batch(Array x, Array y) {}

    record State(Params params, long step) {}

    /// Hears of each finished step.
    interface Progress {
        void finished(int attempt, long step, int activeSlices);
    }

    /// @param devices of each slice
    TrainingLoop(Manager manager, int devices, Progress progress) {
        this.manager = manager;
        this.devices = devices;
        this.progress = progress;
    }

    /// Trains until told to stop.
    ///
    /// @return the last step
    long run(BooleanSupplier enough) {
        try (var snapshots = new Snapshotter(manager)) {
            return manager.elasticRetry(
                    Retry.atLeast(2), attempt -> train(attempt, snapshots, enough));
        }
    }

    private long train(Attempt attempt, Snapshotter snapshots, BooleanSupplier enough) {
        var mesh =
                Mesh.of(
                        manager.activeDevices(),
                        axis("replica", manager.activeSliceCount()),
                        axis("model", devices));
        var state = snapshots.restoreLatestOr(mesh, on -> new State(place(on), 0));
        while (!enough.getAsBoolean()) {
            var now = manager.resizeIfNeeded(mesh, state);
            mesh = now.mesh();
            state = now.state();
            var batch = put(batches.at(state.step() * BATCH), mesh.sharding("replica"));
            var done = step.apply(state.params(), batch);
            // A loss that is read is a step that is finished.
            var unused = done.second().toHost();
            state = new State(done.first(), state.step() + 1);
            attempt.completed(state.step());
            progress.finished(attempt.number(), state.step(), manager.activeSliceCount());
            if (state.step() % SAVE_EVERY == 0) {
                snapshots.save(state.step(), state);
            }
        }
        return state.step();
    }

    private static Array loss(Params p, Batch b) {
        var hidden = b.x.matmul(p.w1).add(p.b1).relu();
        var logits = hidden.matmul(p.w2).add(p.b2);
        return b.y.mul(logits.logSoftmax(1)).sum(1).mean().neg();
    }

    private static Params descend(Params p, Params g) {
        return new Params(
                p.w1.sub(g.w1.mul(RATE)),
                p.b1.sub(g.b1.mul(RATE)),
                p.w2.sub(g.w2.mul(RATE)),
                p.b2.sub(g.b2.mul(RATE)));
    }

    /// Cut over the devices of a slice, the same in every slice.
    private static Params place(Mesh mesh) {
        return new Params(
                put(Array.normal(1, IN, HIDDEN).mul(0.2), mesh.sharding("", "model")),
                put(Array.zeros(HIDDEN), mesh.sharding("model")),
                put(Array.normal(2, HIDDEN, OUT).mul(0.2), mesh.sharding("model")),
                put(Array.zeros(OUT), mesh.replicated()));
    }

    private static Batch rows() {
        var x = Array.normal(3, ROWS, IN);
        return new Batch(x, x.matmul(Array.normal(4, IN, OUT)).argmax(1).oneHot(OUT));
    }
}
