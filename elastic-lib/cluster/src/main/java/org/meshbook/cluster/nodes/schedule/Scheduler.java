package org.meshbook.cluster.nodes.schedule;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;

/// Binds pending pods to nodes, the most important first; makes room for them if it must.
///
/// One pass looks at all pending pods. It keeps an index of nodes and of the pods on them by the
/// changes that it hears of, and what it binds itself counts at once.
public final class Scheduler implements Controller {
    /// There is only one thing to look at: all that is pending.
    private static final ResourceKey PASS = Kinds.NODE.key("", "all");

    private final Cluster cluster;
    private final InstantSource clock;
    private final EventRecorder events;
    private final NodesView view = new NodesView();
    private final Map<ResourceKey, Resource> pending = new LinkedHashMap<>();
    private final Map<ResourceKey, String> bound = new LinkedHashMap<>();

    /// @param cluster where pods and nodes are
    /// @param clock wall time
    public Scheduler(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.events = new EventRecorder(cluster, clock, "default-scheduler");
    }

    @Override
    public String name() {
        return "default-scheduler";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.POD, Kinds.NODE);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        boolean gone = event.type() == WatchEvent.Type.DELETED;
        if (object.key().kind().equals(Kinds.NODE)) {
            if (gone) {
                view.drop(object);
            } else {
                view.put(object);
            }
        } else {
            index(object, gone);
        }
        return pending.isEmpty() ? List.of() : List.of(PASS);
    }

    private void index(Resource pod, boolean gone) {
        var key = pod.key();
        var phase = pod.text("status", "phase");
        boolean over = gone || phase.equals("Succeeded") || phase.equals("Failed");
        var node = pod.text("spec", "nodeName");
        if (over || node.isEmpty() && pod.deleting()) {
            pending.remove(key);
            var was = bound.remove(key);
            if (was != null) {
                view.free(pod, was);
            }
        } else if (!node.isEmpty()) {
            pending.remove(key);
            bound.put(key, node);
            view.bind(pod, node);
        } else if (!bound.containsKey(key)) {
            pending.put(key, pod);
        }
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var order =
                pending.values().stream()
                        .sorted(
                                Comparator.comparingInt(PodNeeds::priority)
                                        .reversed()
                                        .thenComparing(p -> p.created().orElse(clock.instant()))
                                        .thenComparing(Resource::resourceVersion))
                        .toList();
        for (var pod : order) {
            try {
                place(pod);
            } catch (ApiException refused) {
                if (!refused.missing() && !refused.conflicted()) {
                    throw refused;
                }
            }
        }
        return Optional.empty();
    }

    private void place(Resource pod) {
        if (!pod.list("spec", "schedulingGates").isEmpty()) {
            wait(pod, "SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates");
            return;
        }
        var reasons = new LinkedHashMap<String, List<String>>();
        var fitting = new ArrayList<Resource>();
        for (var node : view.nodes()) {
            var why = view.reasons(pod, node, withNominated(pod, node));
            reasons.put(node.name(), why);
            if (why.isEmpty()) {
                fitting.add(node);
            }
        }
        if (fitting.isEmpty()) {
            unschedulable(pod, reasons);
        } else {
            bind(pod, best(fitting));
        }
    }

    /// A place that is being freed for a more important pod is not free.
    private List<Resource> withNominated(Resource pod, Resource node) {
        var here = new ArrayList<>(view.on(node.name()));
        for (var other : pending.values()) {
            if (other.text("status", "nominatedNodeName").equals(node.name())
                    && !other.key().equals(pod.key())
                    && PodNeeds.priority(other) >= PodNeeds.priority(pod)) {
                here.add(other);
            }
        }
        return here;
    }

    private Resource best(List<Resource> nodes) {
        return nodes.stream().min(Comparator.comparingDouble(this::load)).orElseThrow();
    }

    /// Only processors and memory count, as in the real one: accelerators do not.
    private double load(Resource node) {
        var room = PodNeeds.quantities(node.at("status", "allocatable"));
        var used = view.used(view.on(node.name()));
        return List.of("cpu", "memory").stream()
                .mapToDouble(
                        name -> {
                            double all = room.getOrDefault(name, Quantity.ZERO).milli();
                            return all == 0
                                    ? 0
                                    : used.getOrDefault(name, Quantity.ZERO).milli() / all;
                        })
                .sum();
    }

    private void bind(Resource pod, Resource node) {
        var now = clock.instant();
        var fresh = cluster.find(pod.key()).filter(p -> p.uid().equals(pod.uid()));
        if (fresh.isEmpty() || fresh.get().deleting()) {
            return;
        }
        cluster.update(
                fresh.get()
                        .with(json -> json.withObjectProperty("spec").put("nodeName", node.name())),
                WriteOptions.PLAIN);
        var placed =
                cluster.updateStatus(
                        cluster.find(pod.key())
                                .orElse(pod)
                                .with(
                                        json -> {
                                            json.withObjectProperty("status")
                                                    .remove("nominatedNodeName");
                                            Conditions.put(json, "PodScheduled", true, "", "", now);
                                        }));
        pending.remove(pod.key());
        bound.put(pod.key(), node.name());
        view.bind(placed, node.name());
        events.normal(
                placed,
                "Scheduled",
                "Successfully assigned %s to %s".formatted(pod.key().path(), node.name()));
    }

    private void unschedulable(Resource pod, Map<String, List<String>> reasons) {
        int all = reasons.size();
        if (all == 0) {
            wait(pod, "Unschedulable", "no nodes available to schedule pods");
            return;
        }
        var nominated = pod.text("status", "nominatedNodeName");
        boolean draining =
                !nominated.isEmpty() && view.on(nominated).stream().anyMatch(Resource::deleting);
        if (draining) {
            return;
        }
        var found = none(reasons);
        if (pod.text("spec", "preemptionPolicy").equals("Never")) {
            wait(
                    pod,
                    "Unschedulable",
                    found + " preemption: not eligible due to preemptionPolicy=Never.");
            return;
        }
        var candidates =
                reasons.entrySet().stream()
                        .filter(e -> e.getValue().stream().allMatch(NodesView::resolvable))
                        .map(e -> view.node(e.getKey()))
                        .toList();
        var preemption = Preemption.of(pod, candidates, view);
        if (preemption.isPresent()) {
            makeRoom(pod, preemption.get(), found);
            return;
        }
        var help =
                new TreeMap<>(
                        Map.of(
                                "Preemption is not helpful for scheduling",
                                all - candidates.size(),
                                "No preemption victims found for incoming pod",
                                candidates.size()));
        wait(
                pod,
                "Unschedulable",
                "%s no new claims to deallocate, preemption: 0/%d nodes are available: %s."
                        .formatted(found, all, counted(help)));
    }

    private static String none(Map<String, List<String>> reasons) {
        var counts =
                reasons.values().stream()
                        .flatMap(List::stream)
                        .collect(
                                Collectors.groupingBy(
                                        r -> r,
                                        TreeMap::new,
                                        Collectors.reducing(0, _ -> 1, Integer::sum)));
        return "0/%d nodes are available: %s.".formatted(reasons.size(), counted(counts));
    }

    private static String counted(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(e -> e.getValue() + " " + e.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private void makeRoom(Resource pod, Preemption preemption, String found) {
        var node = preemption.node().name();
        var nominated =
                cluster.updateStatus(
                        waiting(pod, "Unschedulable", found)
                                .with(
                                        json ->
                                                json.withObjectProperty("status")
                                                        .put("nominatedNodeName", node)));
        pending.put(pod.key(), nominated);
        for (var victim : preemption.victims()) {
            var current = cluster.find(victim.key());
            if (current.isEmpty() || current.get().deleting()) {
                continue;
            }
            cluster.updateStatus(
                    current.get()
                            .with(
                                    json ->
                                            Conditions.put(
                                                    json,
                                                    "DisruptionTarget",
                                                    true,
                                                    "PreemptionByScheduler",
                                                    "default-scheduler: preempting to accommodate a"
                                                            + " higher priority pod",
                                                    clock.instant())));
            cluster.delete(victim.key(), Propagation.BACKGROUND);
            events.normal(
                    victim,
                    "Preempted",
                    "Preempted by pod %s on node %s".formatted(pod.uid(), node));
        }
    }

    private void wait(Resource pod, String reason, String message) {
        var told = waiting(pod, reason, message);
        var before = pod.condition("PodScheduled").map(c -> c.path("message").asString(""));
        if (before.filter(message::equals).isPresent()) {
            return;
        }
        pending.put(pod.key(), cluster.updateStatus(told));
        if (reason.equals("Unschedulable")) {
            events.warning(told, "FailedScheduling", message);
        }
    }

    private Resource waiting(Resource pod, String reason, String message) {
        return pod.with(
                json ->
                        Conditions.put(
                                json, "PodScheduled", false, reason, message, clock.instant()));
    }
}
