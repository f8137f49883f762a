package org.meshbook.elastic.optim;

import java.util.List;
import org.meshbook.elastic.array.Array;

/// All that a training changes: one tree, which is put on a mesh, saved and restored as any other.
///
/// Immutable. Source: Flax's `TrainState`.
///
/// @param params what is trained
/// @param step `i32[]`, the steps done
/// @param moments what the optimiser remembers, trees like the parameters: none for [Sgd], one for
///   [Momentum], two for [Adam]
/// @param <P> type of the parameters
public record TrainState<P>(P params, Array step, List<P> moments) {
    public TrainState {
        moments = List.copyOf(moments);
    }
}
