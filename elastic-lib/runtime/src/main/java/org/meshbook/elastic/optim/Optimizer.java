package org.meshbook.elastic.optim;

import java.util.Collections;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;

/// Changes parameters along their gradient.
///
/// ```java
/// var adam = Optimizer.adam(1e-3);
/// var step = jit((TrainState<Params> state, Batch batch) -> {
///     var g = valueAndGrad(Model::loss).apply(state.params(), batch);
///     return pair(adam.step(state, g.grad()), g.value());
/// });
/// var state = adam.init(params);
/// ```
///
/// Immutable; the state is the caller's. Write another by implementing the two methods.
public interface Optimizer {
    /// @return how many trees like the parameters [TrainState#moments] holds
    int memory();

    /// One step.
    ///
    /// @param state before it
    /// @param gradient a tree like the parameters
    /// @param <P> type of the parameters
    /// @return the state after it
    /// @throws org.meshbook.elastic.MeshMismatch if the gradient's structure or a leaf's shape is
    ///   not that of the parameters
    <P> TrainState<P> step(TrainState<P> state, P gradient);

    /// @param params at the beginning; the moments lie where they lie
    /// @param <P> type of the parameters
    /// @return the state before the first step
    default <P> TrainState<P> init(P params) {
        return new TrainState<>(
                params,
                Array.zeros(DType.I32),
                Collections.nCopies(memory(), Tree.zerosLike(params)));
    }

    /// Gradient descent.
    ///
    /// @param rate learning rate
    /// @return `p - rate * g`
    static Sgd sgd(double rate) {
        return sgd(Schedule.constant(rate));
    }

    static Sgd sgd(Schedule rate) {
        return new Sgd(rate);
    }

    /// Gradient descent with momentum.
    ///
    /// @param rate learning rate
    /// @param decay how much of the last step is kept, often 0.9
    /// @return the optimiser
    static Momentum momentum(double rate, double decay) {
        return momentum(Schedule.constant(rate), decay);
    }

    static Momentum momentum(Schedule rate, double decay) {
        return new Momentum(rate, decay, false);
    }

    /// Adam, with Optax's defaults: decays 0.9 and 0.999, epsilon 1e-8.
    ///
    /// @param rate learning rate, often 1e-3
    /// @return the optimiser
    static Adam adam(double rate) {
        return adam(Schedule.constant(rate));
    }

    static Adam adam(Schedule rate) {
        return Adam.of(rate);
    }

    /// Adam whose weight decay is not part of the gradient.
    ///
    /// @param rate learning rate
    /// @param weightDecay part of each parameter that a step takes away, times the rate; Optax's
    ///   default is 1e-4
    /// @return the optimiser
    static Adam adamw(double rate, double weightDecay) {
        return adamw(Schedule.constant(rate), weightDecay);
    }

    static Adam adamw(Schedule rate, double weightDecay) {
        return Adam.of(rate).withWeightDecay(weightDecay);
    }
}
