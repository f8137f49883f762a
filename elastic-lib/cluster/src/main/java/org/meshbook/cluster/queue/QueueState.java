package org.meshbook.cluster.queue;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// All that counts for admission: what is configured, who waits, who holds quota. Threads: one.
public final class QueueState {
    private final Rules rules;
    private final Map<String, Flavor> flavors = new TreeMap<>();
    private final Map<String, Long> generations = new HashMap<>();
    private final QuotaTree tree;
    private final PendingQueues pending;
    private long decided;

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
        this(rules, new QuotaTree(), new PendingQueues(rules));
    }

    private QueueState(Rules rules, QuotaTree tree, PendingQueues pending) {
        this.rules = rules;
        this.tree = tree;
        this.pending = pending;
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
        tree.put(cohort);
        flushAll(now);
    }

    public void removeCohort(String name, Instant now) {
        tree.removeCohort(name);
        flushAll(now);
    }

    /// @param spec a queue, new or changed
    /// @param now the time
    public void put(QueueSpec spec, Instant now) {
        var before = tree.put(spec);
        if (spec.equals(before)) {
            return;
        }
        generations.merge(spec.name(), 1L, Long::sum);
        pending.put(spec, before);
        flushSoon(spec.name(), now);
    }

    public void removeQueue(String name) {
        tree.removeQueue(name);
        pending.remove(name);
    }

    /// @param name a queue
    /// @param on whether workloads are taken from it
    /// @param now the time
    public void activate(String name, boolean on, Instant now) {
        if (!on) {
            pending.deactivate(name);
        } else if (pending.activate(name)) {
            flushSoon(name, now);
        }
    }

    /// @param name a queue
    /// @return whether workloads are taken from it
    public boolean active(String name) {
        return pending.active(name);
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
        if (tree.held(workload.key()) == null) {
            pending.wait(workload, how);
        }
    }

    /// @param key a workload that waits no longer
    public void withdraw(String key) {
        pending.withdraw(key);
    }

    // ---- who holds quota

    /// @param reservation what a workload holds; takes the place of what it held before
    public void reserve(Reservation reservation) {
        withdraw(reservation.key());
        var before = tree.held(reservation.key());
        if (reservation.equals(before)) {
            return;
        }
        if (before != null) {
            tree.give(before);
        }
        tree.hold(reservation);
    }

    /// @param key a workload that gives back what it holds
    /// @param now the time
    public void release(String key, Instant now) {
        var before = tree.held(key);
        if (before == null) {
            return;
        }
        tree.give(before);
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
        tree.give(replaced);
    }

    public Optional<Reservation> held(String key) {
        return Optional.ofNullable(tree.held(key));
    }

    public Collection<Reservation> holders(String queue) {
        return tree.holders(queue);
    }

    // ---- parked workloads are tried again, all of a cohort together

    private void released(String queue, Instant now) {
        generations.merge(queue, 1L, Long::sum);
        var family = tree.family(queue);
        pending.unblock(family);
        pending.flushSoon(family, now);
    }

    /// Lets the parked workloads of a queue and its cohort be tried again, after the profile's
    /// delay.
    ///
    /// @param queue a queue
    /// @param now the time
    public void flushSoon(String queue, Instant now) {
        pending.flushSoon(tree.family(queue), now);
    }

    private void flushAll(Instant now) {
        pending.flushSoon(pending.names(), now);
    }

    /// @return when parked workloads are to be tried again
    public Optional<Instant> nextFlush() {
        return pending.nextFlush();
    }

    // ---- deciding

    /// @return whether a cycle has anyone to look at
    public boolean ready() {
        return pending.ready();
    }

    /// Looks at the head of each queue once.
    ///
    /// Who is admitted holds the quota from then on; who is not waits on.
    ///
    /// @param now the time
    /// @param refusal why a workload may not even be looked at, by rules that are not about quota
    /// @return what was decided, in the order in which it has to happen
    public List<Decision> cycle(Instant now, Function<Workload, Optional<Refusal>> refusal) {
        pending.flushDue(now);
        var heads = pending.heads();
        decided += heads.size();
        return heads.isEmpty() ? List.of() : new Cycle(this, now).decide(heads, refusal);
    }

    /// @return how often a workload was looked at so far
    public long decided() {
        return decided;
    }

    // ---- what the cycle needs

    Map<String, QuotaNode> tree() {
        return tree.queues();
    }

    QueueSpec spec(String queue) {
        return tree.spec(queue);
    }

    PendingQueue queue(String name) {
        return pending.queue(name);
    }

    Map<String, Flavor> flavors() {
        return flavors;
    }

    long generation(String queue) {
        return generations.getOrDefault(queue, 0L);
    }

    // ---- what can be asked

    public Counts counts(String queue) {
        var waiting = pending.find(queue);
        int reserving = tree.node(queue).map(n -> n.reservations.size()).orElse(0);
        return waiting == null
                ? new Counts(0, 0, reserving)
                : new Counts(waiting.active(), waiting.inadmissible(), reserving);
    }

    /// @param queue a queue
    /// @return who waits in it, in the order in which they are tried
    public List<Workload> waiting(String queue) {
        var waiting = pending.find(queue);
        return waiting == null ? List.of() : waiting.inOrder();
    }

    /// @param queue a queue
    /// @param fr what is asked for
    /// @return how much of it is in use by the queue, in [Amounts]
    public long used(String queue, FlavorResource fr) {
        return tree.node(queue).map(n -> n.used(fr)).orElse(0L);
    }

    /// @param queue a queue
    /// @param fr what is asked for
    /// @return how much of it the queue could still use
    public long available(String queue, FlavorResource fr) {
        return tree.node(queue).map(n -> n.available(fr)).orElse(0L);
    }

    /// @param queue a queue
    /// @return `/COHORT/QUEUE`
    public String path(String queue) {
        return tree.node(queue).map(QuotaNode::path).orElse("/" + queue);
    }

    public Optional<QueueSpec> find(String queue) {
        return tree.find(queue);
    }

    /// @return a state of its own, in which to try what would happen
    public QueueState copy() {
        var copy = new QueueState(rules, tree.copy(), pending.copy());
        copy.flavors.putAll(flavors);
        copy.generations.putAll(generations);
        return copy;
    }
}
