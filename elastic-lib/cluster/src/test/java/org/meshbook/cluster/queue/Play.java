package org.meshbook.cluster.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.queue.QueueSpec.FlavorQuota;
import org.meshbook.cluster.queue.QueueSpec.Group;
import org.meshbook.cluster.queue.QueueSpec.Policy;
import org.meshbook.cluster.queue.QueueSpec.Preemption;
import org.meshbook.cluster.queue.QueueSpec.Quota;

/// A small cluster for tests of the rules: quota of one resource, `cpu` unless said otherwise, in
/// whole units; a clock that is turned by hand; what happened last, by workload.
final class Play {
    private static final Preemption BELOW =
            new Preemption(Policy.LOWER_PRIORITY, Policy.NEVER, false, OptionalInt.empty());

    final QueueState state;
    Instant now = Instant.parse("2026-12-01T00:00:00Z");
    final Map<String, String> messages = new TreeMap<>();
    final Map<String, List<Target>> victims = new TreeMap<>();
    final Map<String, Decision.Admit> admitted = new LinkedHashMap<>();
    final List<String> order = new ArrayList<>();

    private Play(Rules rules) {
        state = new QueueState(rules);
        state.put(new Flavor("main", Map.of(), List.of(), List.of()), now);
    }

    static Play by(Rules rules) {
        return new Play(rules);
    }

    static Play as(Profile profile) {
        return by(Rules.of(profile));
    }

    static Play standard() {
        return as(Profile.V0_17);
    }

    static Quota quota(long nominal, long borrowing, long lending) {
        return new Quota(
                nominal * 1000,
                borrowing < 0 ? OptionalLong.empty() : OptionalLong.of(borrowing * 1000),
                lending < 0 ? OptionalLong.empty() : OptionalLong.of(lending * 1000));
    }

    static Preemption lower() {
        return BELOW;
    }

    static Preemption reclaim(Policy within, Policy reclaim) {
        return new Preemption(within, reclaim, false, OptionalInt.empty());
    }

    static QueueSpec spec(
            String name, String cohort, boolean strict, Preemption preemption, Quota quota) {
        var group =
                new Group(List.of("cpu"), List.of(new FlavorQuota("main", Map.of("cpu", quota))));
        return new QueueSpec(
                name,
                cohort,
                List.of(group),
                strict,
                QueueSpec.Fungibility.DEFAULT,
                preemption,
                1000);
    }

    Play queue(QueueSpec spec) {
        state.put(spec, now);
        state.activate(spec.name(), true, now);
        return this;
    }

    Play queue(String name, long nominal) {
        return queue(spec(name, "", false, Preemption.NEVER, quota(nominal, -1, -1)));
    }

    Workload workload(String queue, String name, long cpus, int priority) {
        return workload(queue, name, priority, podSet("main", 1, "cpu", cpus + ""));
    }

    Workload workload(String queue, String name, int priority, PodSet... podSets) {
        return new Workload(
                "default/" + name, name, queue, priority, now, List.of(podSets), Optional.empty());
    }

    static PodSet podSet(String name, int count, String... requests) {
        return podSet(name, count, NodeRules.NONE, requests);
    }

    static PodSet podSet(String name, int count, NodeRules rules, String... requests) {
        var map = new TreeMap<String, Long>();
        for (int i = 0; i < requests.length; i += 2) {
            map.put(requests[i], Amounts.of(requests[i], Quantity.parse(requests[i + 1])));
        }
        return new PodSet(name, count, count, map, rules);
    }

    Play submit(String queue, String name, long cpus, int priority) {
        state.offer(workload(queue, name, cpus, priority));
        return this;
    }

    Play submit(String queue, String name, long cpus) {
        return submit(queue, name, cpus, 0);
    }

    /// Decides until nobody new is looked at.
    Play run() {
        var seen = new HashSet<String>();
        for (int i = 0; i < 10_000; i++) {
            var decisions = state.cycle(now, _ -> Optional.empty());
            decisions.forEach(this::note);
            if (decisions.stream().anyMatch(Decision.Admit.class::isInstance)) {
                seen.clear();
            }
            var keys = decisions.stream().map(d -> d.workload().key()).toList();
            if (!seen.addAll(keys)) {
                return this;
            }
        }
        throw new AssertionError("no rest");
    }

    private void note(Decision decision) {
        var name = decision.workload().uid();
        switch (decision) {
            case Decision.Admit admit -> {
                admitted.put(name, admit);
                messages.remove(name);
                order.add(name);
            }
            case Decision.Preempt preempt -> {
                victims.put(name, preempt.targets());
                messages.put(name, preempt.message());
            }
            case Decision.Wait wait -> messages.put(name, wait.message());
        }
    }

    Play after(Duration time) {
        now = now.plus(time);
        return this;
    }

    Play second() {
        return after(Duration.ofSeconds(1));
    }

    Play finish(String name) {
        state.release("default/" + name, now);
        admitted.remove(name);
        return this;
    }

    Decision.Admit admission(String name) {
        return Objects.requireNonNull(admitted.get(name));
    }

    Target.Reason reason(String name) {
        return victims.getOrDefault(name, List.of()).getFirst().reason();
    }

    List<String> running() {
        return admitted.keySet().stream().sorted().toList();
    }

    List<String> victimsOf(String name) {
        return victims.getOrDefault(name, List.of()).stream()
                .map(t -> t.victim().uid())
                .sorted()
                .toList();
    }
}
