package org.meshbook.cluster.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// All that counts for admission: what is configured, who waits, who holds quota.
///
/// The tree of quotas is kept up to date with each reservation; it is built anew only when the
/// configuration changes. Threads: one.
public final class QueueState {
    private final Rules rules;
    private final Map<String, Flavor> flavors = new TreeMap<>();
    private final Map<String, QueueSpec.Cohort> cohorts = new TreeMap<>();
    private final Map<String, QueueSpec> specs = new TreeMap<>();
    private final Set<String> active = new TreeSet<>();
    private final Map<String, PendingQueue> pending = new TreeMap<>();
    private final Map<String, String> waitsIn = new HashMap<>();
    private final Map<String, Reservation> held = new HashMap<>();
    private final Map<String, Long> generations = new HashMap<>();
    private final Map<String, Instant> flushes = new HashMap<>();

    /// Always in step with `held`: who changes that asks for the node first.
    private @Nullable Map<String, QuotaNode> tree;

    /// Why a workload may not even be looked at.
    ///
    /// @param message what is wrong
    /// @param namespace whether its namespace is what is wrong
    public record Refusal(String message, boolean namespace) {}

    /// How many workloads a queue has.
    ///
    /// @param active waiting to be tried
    /// @param inadmissible parked
    /// @param reserving holding quota
    public record Counts(int active, int inadmissible, int reserving) {
        public int waiting() {
            return active + inadmissible;
        }
    }

    public QueueState(Rules rules) {
        this.rules = rules;
    }

    public Rules rules() {
        return rules;
    }

    // ---- configuration; whatever changes, parked workloads may fit now

    public void put(Flavor flavor, Instant now) {
        flavors.put(flavor.name(), flavor);
        flushAll(now);
    }

    public void removeFlavor(String name) {
        flavors.remove(name);
    }

    public void put(QueueSpec.Cohort cohort, Instant now) {
        cohorts.put(cohort.name(), cohort);
        tree = null;
        flushAll(now);
    }

    public void removeCohort(String name, Instant now) {
        cohorts.remove(name);
        tree = null;
        flushAll(now);
    }

    /// @param spec a queue, new or changed
    /// @param now the time
    public void put(QueueSpec spec, Instant now) {
        var before = specs.put(spec.name(), spec);
        if (spec.equals(before)) {
            return;
        }
        tree = null;
        generations.merge(spec.name(), 1L, Long::sum);
        var queue = pending.get(spec.name());
        if (queue == null || before == null || before.strict() != spec.strict()) {
            var fresh = new PendingQueue(spec.strict(), rules.parksEquivalents());
            if (queue != null) {
                queue.inOrder().forEach(fresh::offer);
            }
            pending.put(spec.name(), fresh);
        }
        flushSoon(spec.name(), now);
    }

    public void removeQueue(String name) {
        specs.remove(name);
        active.remove(name);
        tree = null;
        var queue = pending.remove(name);
        if (queue != null) {
            queue.inOrder().forEach(w -> waitsIn.remove(w.key()));
        }
    }

    /// @param name a queue
    /// @param on whether workloads are taken from it
    /// @param now the time
    public void activate(String name, boolean on, Instant now) {
        if (on && active.add(name)) {
            flushSoon(name, now);
        } else if (!on) {
            active.remove(name);
        }
    }

    /// @param name a queue
    /// @return whether workloads are taken from it
    public boolean active(String name) {
        return active.contains(name);
    }

    // ---- who waits

    /// @param workload waits, or waits changed
    public void offer(Workload workload) {
        wait(workload, PendingQueue::offer);
    }

    /// @param workload waits, but may not be tried before it is offered again
    public void park(Workload workload) {
        wait(workload, PendingQueue::park);
    }

    private void wait(Workload workload, BiConsumer<PendingQueue, Workload> how) {
        var before = waitsIn.get(workload.key());
        if (before != null && !before.equals(workload.queue())) {
            withdraw(workload.key());
        }
        var queue = pending.get(workload.queue());
        if (queue != null && !held.containsKey(workload.key())) {
            waitsIn.put(workload.key(), workload.queue());
            how.accept(queue, workload);
        }
    }

    /// @param key a workload that waits no longer
    public void withdraw(String key) {
        var name = waitsIn.remove(key);
        var queue = name == null ? null : pending.get(name);
        if (queue != null) {
            queue.withdraw(key);
        }
    }

    // ---- who holds quota

    /// @param reservation what a workload holds; takes the place of what it held before
    public void reserve(Reservation reservation) {
        withdraw(reservation.key());
        var before = held.get(reservation.key());
        if (reservation.equals(before)) {
            return;
        }
        if (before != null) {
            take(before);
        }
        node(reservation.queue()).ifPresent(n -> n.hold(reservation));
        held.put(reservation.key(), reservation);
    }

    /// @param key a workload that gives back what it holds
    /// @param now the time
    public void release(String key, Instant now) {
        var before = held.get(key);
        if (before == null) {
            return;
        }
        take(before);
        released(before.queue(), now);
    }

    /// @param reservation what a workload still holds after it gave back some of it
    /// @param now the time
    public void shrink(Reservation reservation, Instant now) {
        reserve(reservation);
        released(reservation.queue(), now);
    }

    /// Gives what a workload holds to the one that takes its place, of the same job.
    void take(Reservation replaced) {
        node(replaced.queue()).ifPresent(n -> n.release(replaced));
        held.remove(replaced.key());
    }

    public Optional<Reservation> held(String key) {
        return Optional.ofNullable(held.get(key));
    }

    public Collection<Reservation> holders(String queue) {
        return node(queue).map(n -> List.copyOf(n.reservations.values())).orElse(List.of());
    }

    // ---- parked workloads are tried again, all of a cohort together

    private void released(String queue, Instant now) {
        generations.merge(queue, 1L, Long::sum);
        for (var name : family(queue)) {
            var waiting = pending.get(name);
            if (waiting != null) {
                waiting.unblock();
            }
        }
        flushSoon(queue, now);
    }

    /// Lets the parked workloads of a queue and its cohort be tried again, after the profile's
    /// delay.
    ///
    /// @param queue a queue
    /// @param now the time
    public void flushSoon(String queue, Instant now) {
        var at = now.plus(rules.flushDelay());
        for (var name : family(queue)) {
            var waiting = pending.get(name);
            if (waiting == null) {
                continue;
            }
            if (rules.flushDelay().isZero()) {
                waiting.flush();
            } else {
                waiting.unblock();
                flushes.merge(name, at, (a, b) -> a.isBefore(b) ? a : b);
            }
        }
    }

    private void flushAll(Instant now) {
        List.copyOf(pending.keySet()).forEach(q -> flushSoon(q, now));
    }

    private List<String> family(String queue) {
        return node(queue)
                .map(n -> n.family().stream().map(q -> q.name).toList())
                .orElse(List.of(queue));
    }

    /// @return when parked workloads are to be tried again
    public Optional<Instant> nextFlush() {
        return flushes.entrySet().stream()
                .filter(e -> parked(e.getKey()))
                .map(Map.Entry::getValue)
                .min(Instant::compareTo);
    }

    private boolean parked(String queue) {
        var waiting = pending.get(queue);
        return waiting != null && waiting.hasParked();
    }

    private void flushDue(Instant now) {
        flushes.entrySet()
                .removeIf(
                        e -> {
                            if (e.getValue().isAfter(now)) {
                                return false;
                            }
                            var waiting = pending.get(e.getKey());
                            if (waiting != null) {
                                waiting.flush();
                            }
                            return true;
                        });
    }

    // ---- deciding

    /// @return whether a cycle has anyone to look at
    public boolean ready() {
        return active.stream().map(pending::get).anyMatch(q -> q != null && q.ready());
    }

    /// Looks at the head of each queue once.
    ///
    /// Who is admitted holds the quota from then on; who is not waits on.
    ///
    /// @param now the time
    /// @param refusal why a workload may not even be looked at, by rules that are not about quota
    /// @return what was decided, in the order in which it has to happen
    public List<Decision> cycle(Instant now, Function<Workload, Optional<Refusal>> refusal) {
        flushDue(now);
        var heads = new ArrayList<PendingQueue.Entry>();
        for (var name : active) {
            var queue = pending.get(name);
            var head = queue == null ? null : queue.pop();
            if (head != null) {
                heads.add(head);
            }
        }
        return heads.isEmpty() ? List.of() : new Cycle(this, now).decide(heads, refusal);
    }

    Map<String, QuotaNode> tree() {
        var built = tree;
        if (built == null) {
            built = build();
            tree = built;
        }
        return built;
    }

    private Optional<QuotaNode> node(String queue) {
        return Optional.ofNullable(tree().get(queue));
    }

    private Map<String, QuotaNode> build() {
        var groups = new TreeMap<String, QuotaNode>();
        cohorts.values().forEach(c -> groups.put(c.name(), QuotaNode.of(c)));
        var queues = new TreeMap<String, QuotaNode>();
        for (var spec : specs.values()) {
            var node = QuotaNode.of(spec);
            queues.put(spec.name(), node);
            if (!spec.cohort().isEmpty()) {
                join(node, groups.computeIfAbsent(spec.cohort(), QueueState::plain));
            }
        }
        for (var cohort : cohorts.values()) {
            var node = groups.get(cohort.name());
            if (node == null || cohort.parent().isEmpty()) {
                continue;
            }
            var parent = groups.computeIfAbsent(cohort.parent(), QueueState::plain);
            if (!within(parent, node)) {
                join(node, parent);
            }
        }
        var roots = new HashSet<QuotaNode>();
        queues.values().forEach(q -> roots.add(q.root()));
        groups.values().forEach(g -> roots.add(g.root()));
        roots.forEach(QuotaNode::sumUp);
        for (var reservation : held.values()) {
            var node = queues.get(reservation.queue());
            if (node != null) {
                node.hold(reservation);
            }
        }
        return queues;
    }

    private static QuotaNode plain(String cohort) {
        return QuotaNode.of(new QueueSpec.Cohort(cohort, "", Map.of(), 1000));
    }

    private static void join(QuotaNode child, QuotaNode parent) {
        child.parent = parent;
        parent.children.add(child);
    }

    /// A cohort that is its own ancestor is left without a parent.
    private static boolean within(QuotaNode node, QuotaNode other) {
        for (var at = node; at != null; at = at.parent) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    // ---- what the cycle needs

    QueueSpec spec(String queue) {
        return Objects.requireNonNull(specs.get(queue));
    }

    PendingQueue queue(String name) {
        return Objects.requireNonNull(pending.get(name));
    }

    Map<String, Flavor> flavors() {
        return flavors;
    }

    long generation(String queue) {
        return generations.getOrDefault(queue, 0L);
    }

    // ---- what can be asked

    public Counts counts(String queue) {
        var waiting = pending.get(queue);
        int reserving = node(queue).map(n -> n.reservations.size()).orElse(0);
        return waiting == null
                ? new Counts(0, 0, reserving)
                : new Counts(waiting.active(), waiting.inadmissible(), reserving);
    }

    /// @param queue a queue
    /// @return who waits in it, in the order in which they are tried
    public List<Workload> waiting(String queue) {
        var waiting = pending.get(queue);
        return waiting == null ? List.of() : waiting.inOrder();
    }

    /// @param queue a queue
    /// @param fr what is asked for
    /// @return how much of it is in use by the queue, in [Amounts]
    public long used(String queue, FlavorResource fr) {
        return node(queue).map(n -> n.used(fr)).orElse(0L);
    }

    /// @param queue a queue
    /// @param fr what is asked for
    /// @return how much of it the queue could still use
    public long available(String queue, FlavorResource fr) {
        return node(queue).map(n -> n.available(fr)).orElse(0L);
    }

    /// @param queue a queue
    /// @return `/COHORT/QUEUE`
    public String path(String queue) {
        return node(queue).map(QuotaNode::path).orElse("/" + queue);
    }

    public Optional<QueueSpec> find(String queue) {
        return Optional.ofNullable(specs.get(queue));
    }

    /// @return a state of its own, in which to try what would happen
    public QueueState copy() {
        var copy = new QueueState(rules);
        copy.flavors.putAll(flavors);
        copy.cohorts.putAll(cohorts);
        copy.specs.putAll(specs);
        copy.active.addAll(active);
        pending.forEach((name, queue) -> copy.pending.put(name, queue.copy()));
        copy.waitsIn.putAll(waitsIn);
        copy.held.putAll(held);
        copy.generations.putAll(generations);
        copy.flushes.putAll(flushes);
        return copy;
    }
}
