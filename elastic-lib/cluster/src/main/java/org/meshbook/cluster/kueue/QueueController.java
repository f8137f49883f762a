package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.queue.Decision;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.cluster.queue.Workload;

/// Keeps the rules' state in step with the objects, lets the rules decide, and writes what they
/// decided.
///
/// It has one thing to do, whatever changed: take in all changes heard of so far, then run cycles
/// until nobody is admitted any more.
final class QueueController implements Controller {
    /// About what a cycle of the real one takes; so often a preemptor is looked at while its
    /// victims go (OD5).
    private static final Duration CYCLE = Duration.ofMillis(25);

    private static final int CYCLES_AT_ONCE = 200;
    private static final ResourceKey ALL = Kinds.CLUSTER_QUEUE.key("", "");

    private final Cluster cluster;
    private final InstantSource clock;
    private final Rules rules;
    private final QueueState state;
    private final Ledger ledger;
    private final Admissions admissions;
    private final Set<ResourceKey> changed = new LinkedHashSet<>();
    private final Map<ResourceKey, Object> known = new HashMap<>();

    QueueController(
            Cluster cluster, InstantSource clock, QueueState state, Ledger ledger, Rules rules) {
        this.cluster = cluster;
        this.clock = clock;
        this.rules = rules;
        this.state = state;
        this.ledger = ledger;
        var events = Kueue.events(cluster, clock, "kueue-admission", rules);
        admissions = new Admissions(new Writer(cluster), events, state);
    }

    @Override
    public String name() {
        return "kueue-queues";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(
                Kinds.RESOURCE_FLAVOR,
                Kinds.ADMISSION_CHECK,
                Kinds.COHORT,
                Kinds.CLUSTER_QUEUE,
                Kinds.LOCAL_QUEUE,
                Kinds.NAMESPACE,
                Kinds.WORKLOAD);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        changed.add(event.object().key());
        return List.of(ALL);
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        // 1. what changed
        var batch = List.copyOf(changed);
        changed.clear();
        batch.stream().filter(k -> !k.kind().equals(Kinds.WORKLOAD)).forEach(this::configure);
        batch.stream().filter(k -> k.kind().equals(Kinds.WORKLOAD)).forEach(this::sync);
        List.copyOf(changed).forEach(this::sync);
        changed.clear();
        // 2. cycles
        var now = clock.instant();
        boolean more = true;
        for (int i = 0; more && i < CYCLES_AT_ONCE; i++) {
            var decisions = state.cycle(now, this::refusal);
            decisions.forEach(d -> perform(d, now));
            more = decisions.stream().anyMatch(d -> d instanceof Decision.Admit);
        }
        // 3. when to look again
        if (state.ready()) {
            return Optional.of(CYCLE);
        }
        return state.nextFlush()
                .map(at -> Duration.between(clock.instant(), at))
                .map(d -> d.isNegative() ? Duration.ZERO : d);
    }

    // ---- configuration

    private void configure(ResourceKey key) {
        var object = cluster.find(key);
        var kind = key.kind();
        var now = clock.instant();
        if (kind.equals(Kinds.NAMESPACE)) {
            if (changes(key, object.map(Resource::labels).orElse(Map.of()))) {
                queues().forEach(q -> state.flushSoon(q.name(), now));
            }
        } else if (kind.equals(Kinds.RESOURCE_FLAVOR)) {
            if (changes(key, object.map(Specs::flavor))) {
                object.map(Specs::flavor)
                        .ifPresentOrElse(
                                f -> state.put(f, now), () -> state.removeFlavor(key.name()));
                queues().forEach(q -> activate(q, now));
            }
        } else if (kind.equals(Kinds.COHORT)) {
            if (changes(key, object.map(Specs::cohort))) {
                object.map(Specs::cohort)
                        .ifPresentOrElse(
                                c -> state.put(c, now), () -> state.removeCohort(key.name(), now));
            }
        } else if (kind.equals(Kinds.ADMISSION_CHECK)) {
            if (changes(key, object.map(o -> o.is(Marks.ACTIVE)))) {
                queues().forEach(q -> activate(q, now));
            }
        } else if (kind.equals(Kinds.CLUSTER_QUEUE)) {
            queue(key, object, now);
        } else {
            local(key, object);
        }
    }

    private boolean changes(ResourceKey key, Object value) {
        return !value.equals(known.put(key, value));
    }

    private List<Resource> queues() {
        return cluster.list(Kinds.CLUSTER_QUEUE, "");
    }

    private void queue(ResourceKey key, Optional<Resource> object, Instant now) {
        if (object.isEmpty()) {
            known.remove(key);
            state.removeQueue(key.name());
            changed.addAll(waiting(key));
            return;
        }
        var queue = object.get();
        if (changes(key, List.of(queue.at("spec"), queue.deleting()))) {
            state.put(Specs.queue(queue), now);
            state.flushSoon(key.name(), now);
            changed.addAll(waiting(key));
        }
        activate(queue, now);
    }

    private void activate(Resource queue, Instant now) {
        boolean active = Health.of(cluster, queue, rules).active() && !queue.deleting();
        if (state.active(queue.name()) != active) {
            state.activate(queue.name(), active, now);
            changed.addAll(waiting(queue.key()));
        }
    }

    private void local(ResourceKey key, Optional<Resource> object) {
        if (changes(key, object.map(o -> o.at("spec")))) {
            changed.addAll(waiting(key));
            object.ifPresent(
                    o ->
                            cluster.list(Kinds.WORKLOAD, o.namespace()).stream()
                                    .filter(w -> Workloads.localQueue(w).equals(key))
                                    .forEach(w -> changed.add(w.key())));
        }
    }

    private List<ResourceKey> waiting(ResourceKey queue) {
        return ledger.workloads(queue).stream().map(Workloads::key).toList();
    }

    // ---- workloads

    private void sync(ResourceKey key) {
        var id = key.path();
        var now = clock.instant();
        var object = cluster.find(key).filter(w -> !w.is(Marks.FINISHED));
        if (object.isEmpty()) {
            state.release(id, now);
            state.withdraw(id);
            ledger.remove(id);
            return;
        }
        var workload = object.get();
        if (Workloads.reserves(workload)) {
            holds(workload, now);
            return;
        }
        state.release(id, now);
        waits(workload);
    }

    private void holds(Resource workload, Instant now) {
        var reservation = Workloads.reservation(workload, rules);
        var before = state.held(reservation.key());
        if (before.isPresent() && !before.get().usage().equals(reservation.usage())) {
            state.shrink(reservation, now);
        } else {
            state.reserve(reservation);
        }
        ledger.put(
                reservation.key(),
                new Ledger.Entry(
                        Workloads.localQueue(workload),
                        Kinds.CLUSTER_QUEUE.key("", reservation.queue()),
                        workload.is(Marks.ADMITTED)
                                ? Ledger.Phase.ADMITTED
                                : Ledger.Phase.RESERVING,
                        reservation.usage()));
    }

    private void waits(Resource workload) {
        var id = Workloads.id(workload);
        var localKey = Workloads.localQueue(workload);
        var local = cluster.find(localKey);
        var queue = local.map(l -> l.text("spec", "clusterQueue")).orElse("");
        if (!Workloads.active(workload)) {
            state.withdraw(id);
            ledger.remove(id);
            return;
        }
        ledger.put(
                id,
                new Ledger.Entry(
                        localKey,
                        Kinds.CLUSTER_QUEUE.key("", queue),
                        Ledger.Phase.PENDING,
                        Map.of()));
        var obstacle =
                Obstacles.of(
                        localKey.name(),
                        local.orElse(null),
                        queue,
                        cluster.find(Kinds.CLUSTER_QUEUE.key("", queue)).isPresent(),
                        state.active(queue));
        var pending = Workloads.pending(workload, queue, rules);
        if (!obstacle.isEmpty()) {
            state.park(pending);
            admissions.inadmissible(workload, obstacle, clock.instant());
        } else if (Writer.isFalse(workload, Marks.REQUEUED)) {
            state.park(pending);
        } else {
            state.offer(pending);
        }
    }

    // ---- cycles

    private Optional<QueueState.Refusal> refusal(Workload pending) {
        var workload = cluster.find(Workloads.key(pending.key())).orElse(null);
        if (workload == null) {
            return Optional.of(new QueueState.Refusal("", false));
        }
        var labels =
                cluster.find(Kinds.NAMESPACE.key("", workload.namespace()))
                        .map(Resource::labels)
                        .orElse(Map.of());
        var selector =
                cluster.find(Kinds.CLUSTER_QUEUE.key("", pending.queue()))
                        .map(q -> q.at("spec", "namespaceSelector"))
                        .orElseThrow();
        return Obstacles.refusal(workload, labels, selector, rules);
    }

    private void perform(Decision decision, Instant now) {
        try {
            switch (decision) {
                case Decision.Admit admit -> admissions.admit(admit, now);
                case Decision.Preempt preempt -> admissions.preempt(preempt, now);
                case Decision.Wait wait -> admissions.wait(wait, now);
            }
        } catch (ApiException refused) {
            // the object changed or went away; what it is now decides
            changed.add(Workloads.key(decision.workload().key()));
            state.release(decision.workload().key(), now);
            if (!refused.missing()) {
                throw refused;
            }
        }
    }
}
