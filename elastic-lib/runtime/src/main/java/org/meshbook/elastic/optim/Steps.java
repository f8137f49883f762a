package org.meshbook.elastic.optim;

import java.util.List;
import org.meshbook.elastic.array.Tree;

/// The end of a step, which is the same for all optimisers.
final class Steps {
    private Steps() {}

    static <P> TrainState<P> descended(
            TrainState<P> state, Schedule schedule, P update, List<P> moments) {
        var rate = schedule.at(state.step());
        P params = Tree.map(state.params(), update, (p, u) -> p.sub(u.mul(rate.cast(u.dtype()))));
        return new TrainState<>(params, state.step().add(1), moments);
    }
}
