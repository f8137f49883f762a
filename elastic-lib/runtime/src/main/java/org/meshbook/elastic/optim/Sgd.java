package org.meshbook.elastic.optim;

import java.util.List;

/// Gradient descent: `p - rate * g`.
///
/// @param rate learning rate by step
public record Sgd(Schedule rate) implements Optimizer {
    @Override
    public int memory() {
        return 0;
    }

    @Override
    public <P> TrainState<P> step(TrainState<P> state, P gradient) {
        return Steps.descended(state, rate, gradient, List.of());
    }
}
