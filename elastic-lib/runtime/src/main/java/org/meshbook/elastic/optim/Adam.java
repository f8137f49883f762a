package org.meshbook.elastic.optim;

import static org.meshbook.elastic.UsageError.require;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;

/// Adam, and with weight decay AdamW.
///
/// `m = b1 * m + (1 - b1) * g`, `v = b2 * v + (1 - b2) * g²`, both corrected for their beginning at
/// 0; then `p - rate * (m / (sqrt(v) + epsilon) + weightDecay * p)`. Source: Kingma and Ba,
/// <https://arxiv.org/abs/1412.6980>; Loshchilov and Hutter, <https://arxiv.org/abs/1711.05101>.
///
/// @param rate learning rate by step
/// @param b1 decay of the mean, from 0 to below 1
/// @param b2 decay of the mean square, from 0 to below 1
/// @param epsilon added to the root
/// @param weightDecay part of each parameter that a step takes away, times the rate; 0 for Adam
public record Adam(Schedule rate, double b1, double b2, double epsilon, double weightDecay)
        implements Optimizer {
    /// @throws org.meshbook.elastic.UsageError if a decay is not in `[0, 1)`
    public Adam {
        require(
                b1 >= 0 && b1 < 1 && b2 >= 0 && b2 < 1,
                "adam: decays %s and %s; give 0 to below 1",
                b1,
                b2);
    }

    static Adam of(Schedule rate) {
        return new Adam(rate, 0.9, 0.999, 1e-8, 0);
    }

    /// @param first decay of the mean
    /// @param second decay of the mean square
    /// @return the changed copy
    public Adam withDecays(double first, double second) {
        return new Adam(rate, first, second, epsilon, weightDecay);
    }

    /// @param added to the root
    /// @return the changed copy
    public Adam withEpsilon(double added) {
        return new Adam(rate, b1, b2, added, weightDecay);
    }

    /// @param decay part of each parameter that a step takes away, times the rate
    /// @return the changed copy
    public Adam withWeightDecay(double decay) {
        return new Adam(rate, b1, b2, epsilon, decay);
    }

    @Override
    public int memory() {
        return 2;
    }

    @Override
    public <P> TrainState<P> step(TrainState<P> state, P gradient) {
        var count = state.step().add(1).cast(DType.F32);
        // 1. means of the gradient and of its square
        P mean = Tree.map(state.moments().get(0), gradient, (m, g) -> averaged(m, g, b1));
        P square =
                Tree.map(state.moments().get(1), gradient, (v, g) -> averaged(v, g.square(), b2));
        // 2. the direction, both corrected for their beginning at 0
        var c1 = correction(b1, count);
        var c2 = correction(b2, count);
        P update =
                Tree.map(
                        mean,
                        square,
                        (m, v) ->
                                m.div(c1.cast(m.dtype()))
                                        .div(v.div(c2.cast(v.dtype())).sqrt().add(epsilon)));
        // 3. the decay, which is no part of the gradient
        P whole =
                weightDecay == 0
                        ? update
                        : Tree.map(update, state.params(), (u, p) -> u.add(p.mul(weightDecay)));
        return Steps.descended(state, rate, whole, List.of(mean, square));
    }

    private static Array averaged(Array mean, Array now, double decay) {
        return mean.mul(decay).add(now.mul(1 - decay));
    }

    private static Array correction(double decay, Array count) {
        return Array.scalar((float) decay).pow(count).subFrom(1);
    }
}
