package org.meshbook.cluster.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.meshbook.cluster.queue.QueueSpec.Policy;

/// Chooses whom to preempt, by priority and by quota that was lent.
///
/// Candidates are taken in their order until the workload fits; then each of them that turns out
/// not to be needed is put back, the last one first. What remains is minimal by inclusion, which
/// need not be the smallest set.
///
/// It changes usage in the tree while it tries, and leaves it as it was.
final class Preemption {
    private final Workload workload;
    private final QueueSpec spec;
    private final QuotaNode node;
    private final Map<String, QuotaNode> queues;
    private final Collection<FlavorResource> needed;
    private final Map<FlavorResource, Long> usage;

    private enum Variant {
        WITHIN(Target.Reason.IN_CLUSTER_QUEUE),
        HIERARCHICAL(Target.Reason.IN_COHORT_RECLAMATION),
        WHILE_BORROWING(Target.Reason.IN_COHORT_RECLAIM_WHILE_BORROWING),
        WITHOUT_BORROWING(Target.Reason.IN_COHORT_RECLAMATION);

        private final Target.Reason reason;

        Variant(Target.Reason reason) {
            this.reason = reason;
        }
    }

    /// @param above the cohort at which the candidate's queue and mine meet
    private record Candidate(Reservation held, QuotaNode queue, QuotaNode above, Variant variant) {}

    Preemption(
            Workload workload,
            QueueSpec spec,
            Map<String, QuotaNode> queues,
            Collection<FlavorResource> needed,
            Map<FlavorResource, Long> usage) {
        this.workload = workload;
        this.spec = spec;
        this.node = Objects.requireNonNull(queues.get(spec.name()));
        this.queues = queues;
        this.needed = needed;
        this.usage = usage;
    }

    /// Evicted ones first, other queues before the own, low priority first, newest first.
    static Comparator<Reservation> order(String queue) {
        return Comparator.comparing((Reservation r) -> !r.evicted())
                .thenComparing(r -> r.queue().equals(queue))
                .thenComparingInt(Reservation::priority)
                .thenComparing(Comparator.comparing(Reservation::reservedAt).reversed())
                .thenComparing(Reservation::uid);
    }

    static boolean allows(Policy policy, Workload mine, Reservation other) {
        return switch (policy) {
            case NEVER -> false;
            case LOWER_PRIORITY -> other.priority() < mine.priority();
            case LOWER_OR_NEWER_EQUAL_PRIORITY ->
                    other.priority() < mine.priority()
                            || (other.priority() == mine.priority()
                                    && mine.queuedAt().isBefore(other.queuedAt()));
            case ANY -> true;
        };
    }

    List<Target> targets() {
        var byPriority = new ArrayList<Candidate>();
        var hierarchical = new ArrayList<Candidate>();
        collectCohort(hierarchical, byPriority);
        var own = candidates(node, node, false);
        var all = inOrder(List.of(hierarchical, byPriority, own));
        if (all.isEmpty()) {
            return List.of();
        }
        for (boolean borrow : attempts(hierarchical, byPriority)) {
            var targets = attempt(all, borrow);
            if (!targets.isEmpty()) {
                return targets;
            }
        }
        return List.of();
    }

    private List<Boolean> attempts(List<Candidate> hierarchical, List<Candidate> byPriority) {
        boolean forbidden = !spec.preemption().whileBorrowing();
        boolean alone = hierarchical.isEmpty() && byPriority.isEmpty();
        if (alone || (forbidden && !underNominal())) {
            return List.of(true);
        }
        return forbidden && hierarchical.isEmpty() ? List.of(false, true) : List.of(true, false);
    }

    private boolean underNominal() {
        return needed.stream().allMatch(fr -> node.used(fr) < node.own(fr).nominal());
    }

    private List<Candidate> inOrder(List<List<Candidate>> groups) {
        var order = Comparator.comparing(Candidate::held, order(spec.name()));
        var ordered = new ArrayList<Candidate>();
        for (boolean evicted : new boolean[] {true, false}) {
            for (var group : groups) {
                group.stream()
                        .filter(c -> c.held().evicted() == evicted)
                        .sorted(order)
                        .forEach(ordered::add);
            }
        }
        return ordered;
    }

    private void collectCohort(List<Candidate> hierarchical, List<Candidate> byPriority) {
        if (spec.preemption().reclaim() == Policy.NEVER) {
            return;
        }
        boolean advantage = within(node, usage);
        var rest = remaining(node, usage);
        QuotaNode below = node;
        for (var cohort = node.parent; cohort != null; cohort = cohort.parent) {
            collect(cohort, cohort, below, advantage, advantage ? hierarchical : byPriority);
            advantage |= within(cohort, rest);
            rest = remaining(cohort, rest);
            below = cohort;
        }
    }

    private static boolean within(QuotaNode node, Map<FlavorResource, Long> requests) {
        return requests.entrySet().stream()
                .noneMatch(e -> node.borrowsWith(e.getKey(), e.getValue()));
    }

    private static Map<FlavorResource, Long> remaining(
            QuotaNode node, Map<FlavorResource, Long> requests) {
        var rest = new HashMap<FlavorResource, Long>();
        requests.forEach((fr, v) -> rest.put(fr, Math.max(0, v - node.localAvailable(fr))));
        return rest;
    }

    private void collect(
            QuotaNode cohort,
            QuotaNode above,
            QuotaNode skipped,
            boolean advantage,
            List<Candidate> found) {
        for (var child : cohort.children) {
            if (child == skipped || child.withinNominal(needed)) {
                continue;
            }
            if (child.queue) {
                found.addAll(candidates(child, above, advantage));
            } else {
                collect(child, above, skipped, advantage, found);
            }
        }
    }

    private List<Candidate> candidates(QuotaNode queue, QuotaNode above, boolean advantage) {
        var policy = queue == node ? spec.preemption().within() : spec.preemption().reclaim();
        if (policy == Policy.NEVER) {
            return List.of();
        }
        var found = new ArrayList<Candidate>();
        for (var held : queue.reservations.values()) {
            if (needed.stream().anyMatch(fr -> held.usage().getOrDefault(fr, 0L) > 0)
                    && !workload.replaces().filter(held.key()::equals).isPresent()
                    && allows(policy, workload, held)) {
                found.add(new Candidate(held, queue, above, variant(held, queue, advantage)));
            }
        }
        return found;
    }

    private Variant variant(Reservation held, QuotaNode queue, boolean advantage) {
        if (queue == node) {
            return Variant.WITHIN;
        }
        if (advantage) {
            return Variant.HIERARCHICAL;
        }
        var threshold = spec.preemption().threshold();
        boolean tooHigh =
                held.priority() >= workload.priority()
                        || (threshold.isPresent() && held.priority() > threshold.getAsInt());
        return spec.preemption().whileBorrowing() && !tooHigh
                ? Variant.WHILE_BORROWING
                : Variant.WITHOUT_BORROWING;
    }

    private List<Target> attempt(List<Candidate> candidates, boolean borrow) {
        var taken = new ArrayList<Target>();
        for (var candidate : candidates) {
            if (!valid(candidate, borrow)) {
                continue;
            }
            candidate.queue().remove(candidate.held().usage());
            taken.add(new Target(candidate.held(), candidate.variant().reason));
            if (fits(borrow)) {
                var kept = putBack(taken, borrow);
                restore(kept);
                return kept;
            }
        }
        restore(taken);
        return List.of();
    }

    /// A queue that was brought back to its own quota by now has nothing more to give.
    private boolean valid(Candidate candidate, boolean borrow) {
        if (candidate.queue() == node) {
            return true;
        }
        if (borrow && candidate.variant() == Variant.WITHOUT_BORROWING) {
            return false;
        }
        for (var at = candidate.queue(); at != null && at != candidate.above(); at = at.parent) {
            if (at.withinNominal(needed)) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(boolean borrow) {
        return fits(node, usage, borrow);
    }

    static boolean fits(QuotaNode node, Map<FlavorResource, Long> usage, boolean borrow) {
        return node.fits(usage) && (borrow || within(node, usage));
    }

    private List<Target> putBack(List<Target> taken, boolean borrow) {
        return putBack(taken, queues, () -> fits(borrow));
    }

    static List<Target> putBack(
            List<Target> taken, Map<String, QuotaNode> queues, BooleanSupplier fits) {
        var kept = new ArrayList<>(taken);
        for (int i = kept.size() - 2; i >= 0; i--) {
            var held = kept.get(i).victim();
            queue(queues, held).add(held.usage());
            if (fits.getAsBoolean()) {
                kept.set(i, kept.getLast());
                kept.removeLast();
            } else {
                queue(queues, held).remove(held.usage());
            }
        }
        return kept;
    }

    private void restore(List<Target> taken) {
        taken.forEach(t -> queue(queues, t.victim()).add(t.victim().usage()));
    }

    private static QuotaNode queue(Map<String, QuotaNode> queues, Reservation held) {
        return Objects.requireNonNull(queues.get(held.queue()));
    }

    /// @return the keys of all victims
    static Set<String> keys(List<Target> targets) {
        var keys = new LinkedHashSet<String>();
        targets.forEach(t -> keys.add(t.victim().key()));
        return keys;
    }
}
