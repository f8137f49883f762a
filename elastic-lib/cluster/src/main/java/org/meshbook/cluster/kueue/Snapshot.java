package org.meshbook.cluster.kueue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.cluster.queue.Workload;

/// The queue of a cluster at one moment, read from its objects: what is configured, who waits, who
/// holds quota. It is a copy: whatever is tried with it changes nothing in the cluster.
///
/// It works alike for the embedded cluster and a real one, for all that the rules need stands in
/// objects. Threads: one.
public final class Snapshot {
    private final Cluster cluster;
    private final Rules rules;
    private final Instant now;
    private final QueueState state;
    private final Map<ResourceKey, Resource> configuration = new HashMap<>();
    private final Map<String, Resource> workloads = new LinkedHashMap<>();

    private Snapshot(Cluster cluster, Rules rules, Instant now) {
        this.cluster = cluster;
        this.rules = rules;
        this.now = now;
        state = new QueueState(rules);
    }

    /// @param cluster whose queue
    /// @param rules by which it decides
    /// @param now the time
    /// @return how it is
    /// @throws org.meshbook.cluster.ApiException if it has no Kueue
    public static Snapshot of(Cluster cluster, Rules rules, Instant now) {
        var snapshot = new Snapshot(cluster, rules, now);
        Stream.of(
                        Kinds.RESOURCE_FLAVOR,
                        Kinds.COHORT,
                        Kinds.CLUSTER_QUEUE,
                        Kinds.LOCAL_QUEUE,
                        Kinds.NAMESPACE)
                .flatMap(kind -> cluster.list(kind, "").stream())
                .forEach(snapshot::configure);
        cluster.list(Kinds.WORKLOAD, "").forEach(snapshot::add);
        return snapshot;
    }

    /// Takes an object as if it were there: a flavor, a cohort, a queue of either kind, a
    /// namespace.
    ///
    /// @param object the object
    public void configure(Resource object) {
        var key = object.key();
        configuration.put(key, object);
        if (key.kind().equals(Kinds.RESOURCE_FLAVOR)) {
            state.put(Specs.flavor(object), now);
        } else if (key.kind().equals(Kinds.COHORT)) {
            state.put(Specs.cohort(object), now);
        } else if (key.kind().equals(Kinds.CLUSTER_QUEUE)) {
            boolean told = object.condition(Marks.ACTIVE).isPresent();
            state.put(Specs.queue(object), now);
            state.activate(
                    key.name(), told ? object.is(Marks.ACTIVE) : !Health.stopped(object), now);
        }
    }

    private void add(Resource workload) {
        workloads.put(Workloads.id(workload), workload);
        if (workload.is(Marks.FINISHED)) {
            return;
        }
        if (Workloads.reserves(workload)) {
            state.reserve(Workloads.reservation(workload, rules));
        } else if (Workloads.active(workload)) {
            var wanted = wanted(workload);
            if (obstacle(workload).isEmpty() && !Writer.isFalse(workload, Marks.REQUEUED)) {
                state.offer(wanted);
            } else {
                state.park(wanted);
            }
        }
    }

    /// @return the rules' state; who tries something takes a copy of it
    public QueueState state() {
        return state;
    }

    public Instant now() {
        return now;
    }

    /// @return all workloads, finished ones too, by `namespace/name`
    public Map<String, Resource> workloads() {
        return workloads;
    }

    /// @param key a flavor, a cohort, a queue of either kind, a namespace
    /// @return it, if it is there
    public Optional<Resource> find(ResourceKey key) {
        return Optional.ofNullable(configuration.get(key));
    }

    /// @return the ClusterQueues, by name
    public List<Resource> clusterQueues() {
        return configuration.values().stream()
                .filter(object -> object.key().kind().equals(Kinds.CLUSTER_QUEUE))
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }

    // ---- one workload

    public boolean reserves(Resource workload) {
        return Workloads.reserves(workload);
    }

    /// @return the name of the ClusterQueue that it holds quota of, or waits for; `""` if there is
    ///   none
    public String clusterQueue(Resource workload) {
        return Workloads.reserves(workload)
                ? workload.text("status", "admission", "clusterQueue")
                : find(Workloads.localQueue(workload))
                        .map(local -> local.text("spec", "clusterQueue"))
                        .orElse("");
    }

    /// @return what it wants, as the rules see it
    public Workload wanted(Resource workload) {
        return Workloads.pending(workload, clusterQueue(workload), rules);
    }

    /// @return why it is not even tried, as its condition says; `""` if it is
    public String obstacle(Resource workload) {
        var local = Workloads.localQueue(workload);
        var queue = clusterQueue(workload);
        return Obstacles.of(
                local.name(),
                configuration.get(local),
                queue,
                state.find(queue).isPresent(),
                state.active(queue));
    }

    /// @return why the rules may not look at it, for reasons other than quota
    public Optional<QueueState.Refusal> refusal(Resource workload) {
        var labels =
                find(Kinds.NAMESPACE.key("", workload.namespace()))
                        .map(Resource::labels)
                        .orElse(Map.of());
        return find(Kinds.CLUSTER_QUEUE.key("", clusterQueue(workload)))
                .map(queue -> queue.at("spec", "namespaceSelector"))
                .flatMap(selector -> Obstacles.refusal(workload, labels, selector, rules));
    }

    /// @param queue a ClusterQueue's name
    /// @param flavors flavors that a workload gets
    /// @return the admission checks that it then waits for
    public List<String> checks(String queue, List<String> flavors) {
        return find(Kinds.CLUSTER_QUEUE.key("", queue))
                .map(found -> Checks.needed(found, flavors))
                .orElse(List.of());
    }

    // ---- jobs that are not there yet

    /// Makes the workload that Kueue would make for a job, and takes it as if it were there.
    ///
    /// @param job the job, complete, as a dry run returns it
    /// @param order its place among jobs that come at the same moment
    /// @return the workload; empty if Kueue would leave the job alone
    /// @throws org.meshbook.cluster.ApiException if its priority class is missing
    public Optional<Resource> submit(Resource job, int order) {
        var kind = Kueue.jobs(rules).stream().filter(j -> j.kind().equals(job.key().kind()));
        var queue = Queues.name(job, rules);
        if (queue.isEmpty()) {
            return Optional.empty();
        }
        return kind.findFirst()
                .map(
                        jobs ->
                                new WorkloadMaker(cluster, jobs)
                                        .make(job, false, null, queue)
                                        .with(
                                                json ->
                                                        json.withObjectProperty("metadata")
                                                                .put(
                                                                        "uid",
                                                                        "~%08d".formatted(order))
                                                                .put(
                                                                        "creationTimestamp",
                                                                        now.toString())))
                .map(this::arrived);
    }

    private Resource arrived(Resource workload) {
        add(workload);
        return workload;
    }

    /// @param job a job
    /// @return its workload that is not finished, or else the latest; empty if it has none
    public Optional<Resource> workloadOf(Resource job) {
        var mine = new ArrayList<Resource>();
        for (var workload : workloads.values()) {
            if (workload.owners().contains(job.uid())) {
                mine.add(workload);
            }
        }
        return mine.stream()
                .filter(w -> !w.is(Marks.FINISHED))
                .findFirst()
                .or(() -> mine.isEmpty() ? Optional.empty() : Optional.of(mine.getLast()));
    }
}
