package org.meshbook.cluster.outlook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.queue.Decision;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Target;
import org.meshbook.cluster.queue.Workload;

/// Lets the rules decide on a copy of a queue, as if victims went at once.
final class Rehearsal {
    /// Enough for every order in which things may happen, and an end if two undo each other.
    private static final int MOST_CYCLES = 20_000;

    private final Snapshot snapshot;
    private final QueueState state;

    Rehearsal(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.state = snapshot.state().copy();
    }

    QueueState state() {
        return state;
    }

    /// Decides until nobody is left to be looked at.
    ///
    /// @param at the time
    /// @return all decisions, in order
    List<Decision> settle(Instant at) {
        var all = new ArrayList<Decision>();
        for (int i = 0; i < MOST_CYCLES; i++) {
            var decisions = state.cycle(at, this::refusal);
            all.addAll(decisions);
            for (var decision : decisions) {
                if (decision instanceof Decision.Preempt preempt) {
                    preempt.targets().forEach(target -> sendBack(target, at));
                }
            }
            if (decisions.isEmpty() && !state.ready()) {
                break;
            }
        }
        return all;
    }

    private Optional<QueueState.Refusal> refusal(Workload workload) {
        return Optional.ofNullable(snapshot.workloads().get(workload.key()))
                .flatMap(snapshot::refusal);
    }

    private void sendBack(Target target, Instant at) {
        var key = target.victim().key();
        state.release(key, at);
        var workload = snapshot.workloads().get(key);
        if (workload != null) {
            var wanted = snapshot.wanted(workload);
            state.offer(
                    new Workload(
                            wanted.key(),
                            wanted.uid(),
                            target.victim().queue(),
                            wanted.priority(),
                            wanted.queuedAt(),
                            wanted.podSets(),
                            wanted.replaces()));
        }
    }
}
