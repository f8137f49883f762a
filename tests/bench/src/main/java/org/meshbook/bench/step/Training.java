package org.meshbook.bench.step;

import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.slices.Placement.free;

import java.util.function.DoubleSupplier;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.jit.Fn2;
import org.meshbook.elastic.jit.Jitted;

/// A training that goes on and on with one batch.
///
/// @param <S> its state
/// @param <B> type of the batch
final class Training<S, B> {
    private static final double MS = 1e6;

    private final Jitted.Of2<S, B, Pair<S, Array>> step;
    private final B batch;
    private S state;

    /// @param step yields the next state and the loss
    /// @param state at the beginning, on a mesh
    /// @param batch on the same mesh
    Training(Fn2<S, B, Pair<S, Array>> step, S state, B batch) {
        this.step = jit(step);
        this.state = state;
        this.batch = batch;
    }

    /// Dispatches steps, and waits for the loss of the last.
    ///
    /// @return milliseconds a step
    double pipelined(int steps) {
        return timed(
                steps,
                () -> {
                    for (int i = 1; i < steps; i++) {
                        var unused = stepped();
                    }
                    return stepped().item();
                });
    }

    /// Waits for the loss of each step.
    ///
    /// @return milliseconds a step
    double waiting(int steps) {
        return timed(
                steps,
                () -> {
                    for (int i = 1; i < steps; i++) {
                        double unused = stepped().item();
                    }
                    return stepped().item();
                });
    }

    /// JAX counts references, and so frees the state before as soon as it is replaced.
    private Array stepped() {
        var done = step.apply(state, batch);
        free(state);
        state = done.first();
        return done.second();
    }

    private static double timed(int steps, DoubleSupplier work) {
        long begun = System.nanoTime();
        double loss = work.getAsDouble();
        long ended = System.nanoTime();
        if (Double.isNaN(loss)) {
            throw new IllegalStateException("the training of the bench came to NaN");
        }
        return (ended - begun) / MS / steps;
    }
}
