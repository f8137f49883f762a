package org.meshbook.cluster.local.supply;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Workload;
import org.meshbook.elastic.slices.supply.Standing;
import org.meshbook.elastic.slices.supply.Standing.Phase;

/// Tells heads how their slices stand in the queues. Changes nothing in the cluster.
public final class Standings implements Controller {
    private static final Pattern PREEMPTED =
            Pattern.compile(
                    "Preempted to accommodate a workload \\(UID: ([^,]*), JobUID: [^)]*\\)([^;]*)(;.*)?");

    private final Cluster cluster;
    private final QueueState state;
    private final Map<String, Consumer<Standing>> listeners = new ConcurrentHashMap<>();

    /// Touched by the loop's thread only.
    private final Map<ResourceKey, Standing> last = new HashMap<>();

    /// @param cluster where
    /// @param state of the queues; read on the loop's thread
    public Standings(Cluster cluster, QueueState state) {
        this.cluster = cluster;
        this.state = state;
    }

    void listen(String session, Consumer<Standing> told) {
        listeners.put(session, told);
    }

    void forget(String session) {
        listeners.remove(session);
    }

    boolean isHeard() {
        return !listeners.isEmpty();
    }

    @Override
    public String name() {
        return "meshbook-slices";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.JOB_SET, Kinds.WORKLOAD, Kinds.POD);
    }

    /// Any change of a queue may change the position of all that wait there.
    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        boolean ours = object.labels().containsKey(SliceJobs.SESSION);
        if (listeners.isEmpty() || !(ours || object.key().kind().equals(Kinds.WORKLOAD))) {
            return List.of();
        }
        if (event.type() == WatchEvent.Type.DELETED) {
            last.remove(object.key());
        }
        return cluster.list(Kinds.JOB_SET, SliceJobs.NAMESPACE).stream()
                .filter(set -> set.labels().containsKey(SliceJobs.SESSION))
                .map(Resource::key)
                .toList();
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        var told =
                found.map(set -> listeners.get(set.labels().getOrDefault(SliceJobs.SESSION, "")));
        if (found.isEmpty() || told.isEmpty()) {
            return Optional.empty();
        }
        var now = standing(found.get());
        var before = last.put(key, now);
        if (now.equals(before)) {
            return Optional.empty();
        }
        boolean missed =
                before != null && before.phase() == Phase.GRANTED && now.phase() == Phase.WAITING;
        if (missed) {
            told.get().accept(standing(found.get(), Phase.REVOKED, 0, revoked(found.get())));
        }
        told.get().accept(now);
        return Optional.empty();
    }

    private Standing standing(Resource set) {
        var workload = workload(set);
        if (workload.isEmpty()) {
            return standing(set, Phase.WAITING, 0, "in queue " + set.labels().get(SliceJobs.QUEUE));
        }
        var now = workload.get();
        if (now.is("Evicted") && (now.is("Admitted") || now.is("QuotaReserved"))) {
            return standing(set, Phase.REVOKED, 0, revoked(set));
        }
        if (now.is("Admitted")) {
            return standing(set, Phase.GRANTED, 0, granted(set, now));
        }
        int position = position(now);
        return standing(set, Phase.WAITING, position, waiting(now));
    }

    private static Standing standing(Resource set, Phase phase, int position, String text) {
        var labels = set.labels();
        return new Standing(
                labels.getOrDefault(SliceJobs.SESSION, ""),
                Integer.parseInt(labels.getOrDefault(SliceJobs.SLICE, "-1")),
                set.name(),
                phase,
                position,
                text);
    }

    private Optional<Resource> workload(Resource set) {
        return cluster.ownedBy(set, Kinds.WORKLOAD).stream().findFirst();
    }

    private int position(Resource workload) {
        var queue =
                cluster.find(
                                Kinds.LOCAL_QUEUE.key(
                                        workload.namespace(), workload.text("spec", "queueName")))
                        .map(local -> local.text("spec", "clusterQueue"))
                        .orElse("");
        return 1
                + state.waiting(queue).stream()
                        .map(Workload::key)
                        .toList()
                        .indexOf(workload.key().path());
    }

    private static String waiting(Resource workload) {
        var why = message(workload, "QuotaReserved");
        if (workload.is("QuotaReserved")) {
            return "it has its quota and waits for its checks";
        }
        return why.isEmpty()
                ? "in queue " + workload.text("spec", "queueName")
                : why.replaceFirst("couldn't assign flavors to pod set hosts: ", "");
    }

    private String granted(Resource set, Resource workload) {
        var flavors =
                workload.list("status", "admission", "podSetAssignments").stream()
                        .flatMap(sets -> sets.path("flavors").properties().stream())
                        .map(flavor -> flavor.getValue().asString(""))
                        .findFirst()
                        .orElse("");
        var by =
                "by ClusterQueue %s, flavor %s"
                        .formatted(workload.text("status", "admission", "clusterQueue"), flavors);
        return unscheduled(set).map(why -> by + "; its pods wait: " + why).orElse(by);
    }

    private Optional<String> unscheduled(Resource set) {
        return cluster.list(Kinds.POD, set.namespace()).stream()
                .filter(pod -> set.labels().get(SliceJobs.SESSION) != null)
                .filter(pod -> same(pod, set, SliceJobs.SESSION) && same(pod, set, SliceJobs.SLICE))
                .filter(pod -> !pod.deleting())
                .flatMap(pod -> pod.condition("PodScheduled").stream())
                .filter(condition -> condition.path("status").asString("").equals("False"))
                .map(condition -> condition.path("message").asString(""))
                .filter(message -> !message.isEmpty())
                .findFirst();
    }

    private static boolean same(Resource pod, Resource set, String label) {
        return set.labels().getOrDefault(label, "").equals(pod.labels().get(label));
    }

    /// Kueue names a preemptor by its UID only.
    private String revoked(Resource set) {
        var text = workload(set).map(w -> message(w, "Evicted")).orElse("");
        var preempted = PREEMPTED.matcher(text);
        if (!preempted.matches()) {
            return text.isEmpty() ? "evicted" : text;
        }
        var by =
                cluster.list(Kinds.WORKLOAD, "").stream()
                        .filter(w -> w.uid().equals(preempted.group(1)))
                        .flatMap(w -> w.list("metadata", "ownerReferences").stream())
                        .map(owner -> owner.path("name").asString(""))
                        .findFirst()
                        .orElse("workload " + preempted.group(1));
        return "preempted by %s%s".formatted(by, preempted.group(2));
    }

    private static String message(Resource workload, String condition) {
        return workload.condition(condition).map(c -> c.path("message").asString("")).orElse("");
    }
}
