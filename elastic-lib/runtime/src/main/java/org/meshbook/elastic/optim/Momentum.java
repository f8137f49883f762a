package org.meshbook.elastic.optim;

import static org.meshbook.elastic.UsageError.require;

import java.util.List;
import org.meshbook.elastic.array.Tree;

/// Gradient descent with momentum: `m = g + decay * m`, then `p - rate * m`.
///
/// Source: Optax's `trace`; Nesterov's form as in Sutskever et al., *On the importance of
/// initialization and momentum in deep learning*, ICML 2013.
///
/// @param rate learning rate by step
/// @param decay how much of the last step is kept, from 0 to below 1
/// @param nesterov whether the step looks ahead: `p - rate * (g + decay * m)`
public record Momentum(Schedule rate, double decay, boolean nesterov) implements Optimizer {
    /// @throws org.meshbook.elastic.UsageError if the decay is not in `[0, 1)`
    public Momentum {
        require(decay >= 0 && decay < 1, "momentum: decay %s; give 0 to below 1", decay);
    }

    /// @return the same in Nesterov's form
    public Momentum lookingAhead() {
        return new Momentum(rate, decay, true);
    }

    @Override
    public int memory() {
        return 1;
    }

    @Override
    public <P> TrainState<P> step(TrainState<P> state, P gradient) {
        P moment = added(gradient, state.moments().getFirst());
        P update = nesterov ? added(gradient, moment) : moment;
        return Steps.descended(state, rate, update, List.of(moment));
    }

    private <P> P added(P gradient, P moment) {
        return Tree.map(gradient, moment, (g, m) -> g.add(m.mul(decay)));
    }
}
