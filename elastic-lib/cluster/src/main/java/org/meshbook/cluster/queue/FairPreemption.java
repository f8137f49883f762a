package org.meshbook.cluster.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.queue.QueueSpec.Policy;

/// Chooses whom to preempt so that shares become more equal.
///
/// The queue with the largest share gives first, and only if afterwards it is not worse off than
/// the one that takes (by the first rule of the profile; those that it spared are looked at again
/// by the second). The new workload counts with its queue's share from the beginning, so that two
/// queues never take the same quota from each other in turns.
///
/// It changes usage in the tree while it tries, and leaves it as it was.
final class FairPreemption {
    private final Workload workload;
    private final QueueSpec spec;
    private final QuotaNode node;
    private final Map<String, QuotaNode> queues;
    private final Collection<FlavorResource> needed;
    private final Map<FlavorResource, Long> usage;
    private final List<Rules.FairStrategy> strategies;
    private final List<Target> targets = new ArrayList<>();
    private final List<Reservation> spared = new ArrayList<>();

    FairPreemption(
            Workload workload,
            QueueSpec spec,
            Map<String, QuotaNode> queues,
            Collection<FlavorResource> needed,
            Map<FlavorResource, Long> usage,
            List<Rules.FairStrategy> strategies) {
        this.workload = workload;
        this.spec = spec;
        this.node = Objects.requireNonNull(queues.get(spec.name()));
        this.queues = queues;
        this.needed = needed;
        this.usage = usage;
        this.strategies = strategies;
    }

    List<Target> targets() {
        var candidates = candidates();
        if (candidates.isEmpty()) {
            return List.of();
        }
        node.add(usage);
        boolean fits = first(candidates);
        if (!fits && strategies.size() > 1) {
            fits = second();
        }
        node.remove(usage);
        var kept =
                fits
                        ? Preemption.putBack(
                                targets, queues, () -> Preemption.fits(node, usage, true))
                        : List.<Target>of();
        (fits ? kept : targets).forEach(t -> queue(t.victim()).add(t.victim().usage()));
        return kept;
    }

    private List<Reservation> candidates() {
        var found = new ArrayList<Reservation>();
        for (var other : node.family()) {
            var policy = other == node ? spec.preemption().within() : spec.preemption().reclaim();
            if (policy == Policy.NEVER || (other != node && other.withinNominal(needed))) {
                continue;
            }
            for (var held : other.reservations.values()) {
                if (needed.stream().anyMatch(fr -> held.usage().getOrDefault(fr, 0L) > 0)
                        && Preemption.allows(policy, workload, held)) {
                    found.add(held);
                }
            }
        }
        found.sort(Preemption.order(spec.name()));
        return found;
    }

    private boolean first(List<Reservation> candidates) {
        var tournament = new Tournament(candidates);
        for (var other = tournament.next(); other != null; other = tournament.next()) {
            if (other == node) {
                if (take(tournament.pop(other), Target.Reason.IN_CLUSTER_QUEUE)) {
                    return true;
                }
                continue;
            }
            var mine = below(node, other);
            var theirs = below(other, node);
            double before = FairShare.of(theirs);
            while (tournament.has(other)) {
                var held = tournament.pop(other);
                other.remove(held.usage());
                double after = FairShare.of(theirs);
                other.add(held.usage());
                if (allowed(strategies.getFirst(), FairShare.of(mine), before, after)) {
                    if (take(held, Target.Reason.IN_COHORT_FAIR_SHARING)) {
                        return true;
                    }
                    break;
                }
                spared.add(held);
            }
        }
        return false;
    }

    private boolean second() {
        var tournament = new Tournament(spared);
        for (var other = tournament.next(); other != null; other = tournament.next()) {
            double mine = FairShare.of(below(node, other));
            double theirs = FairShare.of(below(other, node));
            if (mine < theirs
                    && take(tournament.pop(other), Target.Reason.IN_COHORT_FAIR_SHARING)) {
                return true;
            }
            tournament.drop(other);
        }
        return false;
    }

    private static boolean allowed(
            Rules.FairStrategy rule, double mine, double before, double after) {
        return switch (rule) {
            case LESS_THAN_OR_EQUAL_TO_FINAL_SHARE -> mine <= after;
            case LESS_THAN_INITIAL_SHARE -> mine < before;
        };
    }

    private boolean take(Reservation held, Target.Reason reason) {
        queue(held).remove(held.usage());
        targets.add(new Target(held, reason));
        node.remove(usage);
        boolean fits = Preemption.fits(node, usage, true);
        node.add(usage);
        return fits;
    }

    /// The node on the way up from `from` that lies just below where it meets the other's way.
    private static QuotaNode below(QuotaNode from, QuotaNode other) {
        var path = new HashSet<QuotaNode>();
        for (QuotaNode at = other; at != null; at = at.parent) {
            path.add(at);
        }
        var at = from;
        while (at.parent != null && !path.contains(at.parent)) {
            at = at.parent;
        }
        return at;
    }

    private QuotaNode queue(Reservation held) {
        return Objects.requireNonNull(queues.get(held.queue()));
    }

    /// Finds, from the root down, the queue with the largest share that still has candidates.
    private final class Tournament {
        private final Map<QuotaNode, Deque<Reservation>> left = new HashMap<>();
        private final Set<QuotaNode> out = new HashSet<>();
        private final Set<QuotaNode> mine = new HashSet<>();

        Tournament(List<Reservation> candidates) {
            for (var held : candidates) {
                left.computeIfAbsent(queue(held), _ -> new ArrayDeque<>()).add(held);
            }
            for (QuotaNode at = node; at != null; at = at.parent) {
                mine.add(at);
            }
        }

        boolean has(QuotaNode queue) {
            return !left.getOrDefault(queue, new ArrayDeque<>()).isEmpty();
        }

        Reservation pop(QuotaNode queue) {
            return Objects.requireNonNull(left.get(queue)).removeFirst();
        }

        void drop(QuotaNode queue) {
            out.add(queue);
        }

        @Nullable QuotaNode next() {
            var root = node.root();
            if (root == node) {
                return has(node) && !out.contains(node) ? node : null;
            }
            while (!out.contains(root)) {
                var found = next(root);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private @Nullable QuotaNode next(QuotaNode cohort) {
            QuotaNode best = null;
            double most = -1;
            for (var child : cohort.children) {
                if (out.contains(child)) {
                    continue;
                }
                double share = FairShare.of(child);
                boolean empty = child.queue && !has(child);
                if (empty || (share == 0 && !mine.contains(child))) {
                    out.add(child);
                } else if (best == null || share > most || (share == most && !child.queue)) {
                    best = child;
                    most = share;
                }
            }
            if (best == null) {
                out.add(cohort);
                return null;
            }
            return best.queue ? best : next(best);
        }
    }
}
