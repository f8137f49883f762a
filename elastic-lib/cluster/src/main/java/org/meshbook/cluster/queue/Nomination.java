package org.meshbook.cluster.queue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.queue.Assignment.Cursor;
import org.meshbook.cluster.queue.Assignment.Mode;

/// Finds the best that the head of a queue could get as things stand: flavors, and who would have
/// to go. It changes usage while it tries, and leaves it as it was.
final class Nomination {
    private final QueueState state;
    private final Map<String, QuotaNode> tree;

    Nomination(QueueState state) {
        this.state = state;
        this.tree = state.tree();
    }

    Nominee of(PendingQueue.Entry entry) {
        var workload = entry.workload;
        var node = Objects.requireNonNull(tree.get(workload.queue()));
        var spec = state.spec(workload.queue());
        var replaced = workload.replaces().flatMap(state::held).orElse(null);
        long generation = state.generation(workload.queue());
        var cursor = entry.cursor.generation() < generation ? Cursor.START : entry.cursor;
        var assigner =
                new FlavorAssigner(
                        workload,
                        spec,
                        node,
                        state.flavors(),
                        (fr, amount) -> simulate(workload, spec, node, fr, amount),
                        cursor,
                        generation,
                        replaced);
        var whole = assigner.assign(workload.podSets().stream().map(PodSet::count).toList());
        var targets = targets(workload, spec, whole);
        if (whole.mode() != Mode.FIT && targets.isEmpty() && workload.reducible()) {
            var reduced = reduce(workload, spec, assigner);
            if (reduced != null) {
                entry.cursor = reduced.cursor();
                return new Nominee(
                        entry, node, reduced, targets(workload, spec, reduced), replaced);
            }
        }
        entry.cursor = whole.cursor();
        return new Nominee(entry, node, whole, targets, replaced);
    }

    private FlavorAssigner.Oracle.Answer simulate(
            Workload workload, QueueSpec spec, QuotaNode node, FlavorResource fr, long amount) {
        var targets = choose(workload, spec, List.of(fr), Map.of(fr, amount));
        if (targets.isEmpty()) {
            return new FlavorAssigner.Oracle.Answer(
                    Mode.NO_CANDIDATES, node.reach(fr, amount).height());
        }
        targets.forEach(t -> queue(t.victim()).remove(t.victim().usage()));
        int borrowing = node.reach(fr, amount).height();
        targets.forEach(t -> queue(t.victim()).add(t.victim().usage()));
        boolean own = targets.stream().anyMatch(t -> t.victim().queue().equals(spec.name()));
        return new FlavorAssigner.Oracle.Answer(own ? Mode.PREEMPT : Mode.RECLAIM, borrowing);
    }

    private List<Target> targets(Workload workload, QueueSpec spec, Assignment assignment) {
        return assignment.mode() == Mode.FIT || assignment.mode() == Mode.NO_FIT
                ? List.of()
                : choose(workload, spec, assignment.needed(), assignment.usage());
    }

    private List<Target> choose(
            Workload workload,
            QueueSpec spec,
            List<FlavorResource> needed,
            Map<FlavorResource, Long> usage) {
        var strategies = state.rules().fairStrategies();
        return strategies.isEmpty()
                ? new Preemption(workload, spec, tree, needed, usage).targets()
                : new FairPreemption(workload, spec, tree, needed, usage, strategies).targets();
    }

    /// The most pods that fit, found by halving; each pod set gives up its part.
    private @Nullable Assignment reduce(
            Workload workload, QueueSpec spec, FlavorAssigner assigner) {
        int total = workload.podSets().stream().mapToInt(p -> p.count() - p.least()).sum();
        Assignment best = null;
        int low = 0;
        int high = total + 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            var assignment = assigner.assign(reduced(workload, middle, total));
            boolean good =
                    assignment.mode() == Mode.FIT || !targets(workload, spec, assignment).isEmpty();
            if (good) {
                best = assignment;
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return best;
    }

    private static List<Integer> reduced(Workload workload, int by, int total) {
        return workload.podSets().stream()
                .map(p -> p.count() - (int) ((long) (p.count() - p.least()) * by / total))
                .toList();
    }

    private QuotaNode queue(Reservation held) {
        return Objects.requireNonNull(tree.get(held.queue()));
    }
}
