package org.meshbook.cluster.queue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.queue.Assignment.Cursor;
import org.meshbook.cluster.queue.Assignment.Mode;

/// One look at the heads of all queues.
///
/// Each head gets its best assignment as things stand; then they are admitted one by one, and each
/// sees what those before it took.
final class Cycle {
    private final QueueState state;
    private final Instant now;
    private final Map<String, QuotaNode> tree;
    private final List<Decision> decisions = new ArrayList<>();
    private final Set<String> preempted = new HashSet<>();

    /// Quota that counts as used until the end of the cycle only.
    private final List<Map.Entry<QuotaNode, Map<FlavorResource, Long>>> borrowed =
            new ArrayList<>();

    private record Nominee(
            PendingQueue.Entry entry,
            QuotaNode node,
            Assignment assignment,
            List<Target> targets,
            @Nullable Reservation replaced) {
        Workload workload() {
            return entry.workload;
        }
    }

    Cycle(QueueState state, Instant now) {
        this.state = state;
        this.now = now;
        this.tree = state.tree();
    }

    List<Decision> decide(
            List<PendingQueue.Entry> heads,
            Function<Workload, Optional<QueueState.Refusal>> rules) {
        // 1. what each could get
        var nominees = new ArrayList<Nominee>();
        for (var head : heads) {
            var refusal = rules.apply(head.workload);
            if (refusal.isPresent()) {
                giveBack(head, refusal.get().message(), !refusal.get().namespace());
            } else {
                nominees.add(nominate(head));
            }
        }
        // 2. one by one
        var order = state.rules().fairSharing() ? new FairOrder(nominees) : classical(nominees);
        for (var nominee = order.next(); nominee != null; nominee = order.next()) {
            process(nominee);
        }
        // 3. what was only set aside is free again
        borrowed.forEach(e -> e.getKey().remove(e.getValue()));
        return decisions;
    }

    // ---- nomination

    private Nominee nominate(PendingQueue.Entry entry) {
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

    // ---- order

    /// Hands out the nominees one after the other.
    private interface Order {
        @Nullable Nominee next();
    }

    private static Order classical(List<Nominee> nominees) {
        var order =
                Comparator.comparingInt((Nominee n) -> n.assignment().borrowing())
                        .thenComparing(n -> -(long) n.workload().priority())
                        .thenComparing(n -> n.workload().queuedAt())
                        .thenComparing(n -> n.workload().uid());
        var sorted = nominees.stream().sorted(order).iterator();
        return () -> sorted.hasNext() ? sorted.next() : null;
    }

    /// A tournament: at each cohort, the side goes on that would have the smaller share.
    private static final class FairOrder implements Order {
        private final Map<QuotaNode, Nominee> left = new LinkedHashMap<>();

        FairOrder(List<Nominee> nominees) {
            nominees.forEach(n -> left.put(n.node(), n));
        }

        @Override
        public @Nullable Nominee next() {
            if (left.isEmpty()) {
                return null;
            }
            var first = left.keySet().iterator().next();
            var winner = first.parent == null ? left.get(first) : winner(first.root());
            left.remove(Objects.requireNonNull(winner).node());
            return winner;
        }

        private @Nullable Nominee winner(QuotaNode node) {
            if (node.queue) {
                return left.get(node);
            }
            Nominee best = null;
            double least = 0;
            for (var child : node.children) {
                var nominee = winner(child);
                if (nominee == null) {
                    continue;
                }
                double share = shareWith(nominee, child);
                if (best == null
                        || share < least
                        || (share == least && before(nominee.workload(), best.workload()))) {
                    best = nominee;
                    least = share;
                }
            }
            return best;
        }

        private static double shareWith(Nominee nominee, QuotaNode node) {
            nominee.node().add(nominee.assignment().usage());
            double share = FairShare.of(node);
            nominee.node().remove(nominee.assignment().usage());
            return share;
        }

        private static boolean before(Workload a, Workload b) {
            if (a.priority() != b.priority()) {
                return a.priority() > b.priority();
            }
            return a.queuedAt().isBefore(b.queuedAt());
        }
    }

    // ---- admission

    private void process(Nominee nominee) {
        var assignment = nominee.assignment();
        var mode = assignment.mode();
        if (mode == Mode.NO_FIT) {
            giveBack(nominee.entry(), assignment.message(), true);
            return;
        }
        if (mode != Mode.FIT && nominee.targets().isEmpty()) {
            setAside(nominee);
            giveBack(nominee.entry(), assignment.message(), true);
            return;
        }
        var victims = Preemption.keys(nominee.targets());
        if (victims.stream().anyMatch(preempted::contains)) {
            skip(nominee, "Workload has overlapping preemption targets with another workload");
            return;
        }
        if (!stillFits(nominee)) {
            skip(nominee, "Workload no longer fits after processing another workload");
            return;
        }
        preempted.addAll(victims);
        if (mode == Mode.FIT) {
            admit(nominee);
        } else {
            preempt(nominee);
        }
    }

    private boolean stillFits(Nominee nominee) {
        var gone = new HashMap<String, Reservation>();
        nominee.targets().forEach(t -> gone.put(t.victim().key(), t.victim()));
        preempted.forEach(key -> state.held(key).ifPresent(r -> gone.put(key, r)));
        gone.values().forEach(r -> queue(r).remove(r.usage()));
        boolean fits = nominee.node().fits(nominee.assignment().usage());
        gone.values().forEach(r -> queue(r).add(r.usage()));
        return fits;
    }

    private void admit(Nominee nominee) {
        var workload = nominee.workload();
        var replaced = nominee.replaced();
        if (replaced != null) {
            state.take(replaced);
        }
        state.reserve(reservation(workload, nominee.assignment(), now));
        decisions.add(
                new Decision.Admit(
                        workload,
                        nominee.assignment(),
                        nominee.assignment().considered(),
                        replaced == null ? List.of() : List.of(replaced.key())));
    }

    static Reservation reservation(Workload workload, Assignment assignment, Instant now) {
        var held = new HashMap<String, Map<FlavorResource, Long>>();
        var usage = new HashMap<FlavorResource, Long>();
        for (var podSet : assignment.podSets()) {
            var mine = new HashMap<FlavorResource, Long>();
            podSet.choices()
                    .forEach(
                            (resource, choice) ->
                                    mine.put(
                                            new FlavorResource(choice.flavor(), resource),
                                            podSet.requests().getOrDefault(resource, 0L)));
            held.put(podSet.name(), mine);
            mine.forEach((fr, amount) -> usage.merge(fr, amount, Long::sum));
        }
        return new Reservation(
                workload.key(),
                workload.uid(),
                workload.queue(),
                workload.priority(),
                workload.queuedAt(),
                now.truncatedTo(ChronoUnit.SECONDS),
                false,
                usage,
                held);
    }

    private void preempt(Nominee nominee) {
        hold(nominee.node(), nominee.assignment().usage());
        nominee.entry().cursor = Cursor.START;
        if (state.rules().stickyPreemptor()) {
            state.queue(nominee.workload().queue()).pushSticky(nominee.entry());
        } else {
            state.queue(nominee.workload().queue()).push(nominee.entry());
        }
        decisions.add(
                new Decision.Preempt(
                        nominee.workload(),
                        nominee.targets(),
                        "%s. Pending the preemption of %d workload(s)"
                                .formatted(
                                        nominee.assignment().message(), nominee.targets().size())));
    }

    /// Quota that would be its own is kept from those behind it, unless it can always be reclaimed.
    private void setAside(Nominee nominee) {
        var spec = state.spec(nominee.workload().queue());
        if (spec.preemption().reclaim() == QueueSpec.Policy.ANY) {
            return;
        }
        boolean borrows = nominee.assignment().borrowing() > 0;
        var aside = new HashMap<FlavorResource, Long>();
        nominee.assignment()
                .usage()
                .forEach(
                        (fr, amount) -> {
                            var own = nominee.node().own(fr);
                            long used = nominee.node().used(fr);
                            long most =
                                    !borrows
                                            ? own.nominal() - used
                                            : own.borrowing().isPresent()
                                                    ? own.nominal()
                                                            + own.borrowing().getAsLong()
                                                            - used
                                                    : amount;
                            aside.put(fr, Math.max(0, Math.min(amount, most)));
                        });
        hold(nominee.node(), aside);
    }

    private void hold(QuotaNode node, Map<FlavorResource, Long> amounts) {
        node.add(amounts);
        borrowed.add(Map.entry(node, amounts));
    }

    /// Lost against one that came before it in this cycle: it is tried again in the next.
    private void skip(Nominee nominee, String message) {
        state.queue(nominee.workload().queue()).push(nominee.entry());
        decisions.add(new Decision.Wait(nominee.workload(), message));
    }

    private void giveBack(PendingQueue.Entry entry, String message, boolean fitsNamespace) {
        var queue = state.queue(entry.workload.queue());
        if (entry.cursor.pending()) {
            queue.push(entry);
        } else {
            queue.giveBack(entry, fitsNamespace);
        }
        decisions.add(new Decision.Wait(entry.workload, message));
    }

    private QuotaNode queue(Reservation held) {
        return Objects.requireNonNull(tree.get(held.queue()));
    }
}
