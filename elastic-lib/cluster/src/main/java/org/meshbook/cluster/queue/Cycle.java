package org.meshbook.cluster.queue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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

    Cycle(QueueState state, Instant now) {
        this.state = state;
        this.now = now;
        this.tree = state.tree();
    }

    List<Decision> decide(
            List<PendingQueue.Entry> heads,
            Function<Workload, Optional<QueueState.Refusal>> rules) {
        // 1. what each could get
        var nomination = new Nomination(state);
        var nominees = new ArrayList<Nominee>();
        for (var head : heads) {
            var refusal = rules.apply(head.workload);
            if (refusal.isPresent()) {
                giveBack(head, refusal.get().message(), !refusal.get().namespace());
            } else {
                nominees.add(nomination.of(head));
            }
        }
        // 2. one by one
        var order = AdmissionOrder.of(nominees, state.rules());
        for (var nominee = order.next(); nominee != null; nominee = order.next()) {
            process(nominee);
        }
        // 3. what was only set aside is free again
        borrowed.forEach(e -> e.getKey().remove(e.getValue()));
        return decisions;
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
