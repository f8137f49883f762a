package org.meshbook.bench.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.ControlLoop;
import org.meshbook.cluster.embedded.EmbeddedCluster;
import org.meshbook.cluster.embedded.Settings;
import org.meshbook.cluster.kueue.Kueue;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.queue.Rules;

/// As [PendingBench], with objects: Jobs and Workloads in a store in memory, Kueue's controllers, a
/// clock of its own. Nobody runs pods: each virtual second one running Job of each queue is said to
/// be complete.
final class ObjectsBench {
    private static final int PARTS = 10;
    private static final int ENDLESS = 100_000_000;
    private static final double MIB = 1 << 20;

    private final int pending;
    private final int rounds;
    private final EmbeddedCluster cluster;
    private final Kueue kueue;
    private final ControlLoop loop;
    private final Map<String, Deque<Resource>> running = new HashMap<>();
    private Instant now = Instant.parse("2026-12-01T00:00:00Z");
    private long admitted;
    private long firstNanos;

    /// @param pending how many wait at first
    /// @param rounds for how many virtual seconds
    ObjectsBench(int pending, int rounds) {
        this.pending = pending;
        this.rounds = rounds;
        InstantSource clock = () -> now;
        var rules = Rules.of(Profile.V0_17);
        var hooks = Kueue.hooks(rules, this::find);
        cluster = EmbeddedCluster.open(Settings.defaults().withClock(clock).withHooks(hooks));
        kueue = new Kueue(cluster, clock, rules);
        loop = new ControlLoop(cluster, clock, kueue.controllers());
    }

    private Optional<Resource> find(ResourceKey key) {
        return cluster.find(key);
    }

    PendingResult.Row run() {
        double empty = heap();
        // 1. held queues, and the crowd before them
        fill();
        loop.open();
        loop.settle(ENDLESS);
        double full = heap();
        try (var _ = cluster.watch(Kinds.WORKLOAD, this::hear)) {
            // 2. the hold is lifted
            long decided = kueue.state().decided();
            long begun = System.nanoTime();
            cluster.list(Kinds.CLUSTER_QUEUE, "").forEach(this::lift);
            loop.settle(ENDLESS);
            var first = Duration.ofNanos(firstNanos - begun);
            // 3. a while
            var parts = new ArrayList<Double>();
            for (int part = 0; part < PARTS; part++) {
                long at = System.nanoTime();
                long before = kueue.state().decided();
                for (int i = 0; i < Math.max(1, rounds / PARTS); i++) {
                    second();
                }
                long done = kueue.state().decided() - before;
                parts.add((System.nanoTime() - at) / (double) Math.max(1, done));
            }
            var whole = Duration.ofNanos(System.nanoTime() - begun);
            return new PendingResult.Row(
                    "with objects",
                    pending,
                    kueue.state().decided() - decided,
                    admitted,
                    whole,
                    first,
                    parts,
                    full - empty);
        } finally {
            loop.close();
            cluster.close();
        }
    }

    private void fill() {
        create(
                "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: main}}");
        for (int i = 0; i < Crowd.QUEUES; i++) {
            create(
                    """
                    apiVersion: kueue.x-k8s.io/v1beta2
                    kind: ClusterQueue
                    metadata: {name: %s}
                    spec:
                      namespaceSelector: {}
                      cohortName: %s
                      stopPolicy: Hold
                      resourceGroups:
                      - coveredResources: [cpu]
                        flavors: [{name: main, resources: [{name: cpu, nominalQuota: "%d"}]}]
                    """
                            .formatted(Crowd.queue(i), Crowd.cohort(i), Crowd.CORES));
            create(
                    """
                    apiVersion: kueue.x-k8s.io/v1beta2
                    kind: LocalQueue
                    metadata: {name: %1$s, namespace: default}
                    spec: {clusterQueue: %1$s}
                    """
                            .formatted(Crowd.queue(i)));
        }
        var crowd = new Crowd();
        for (int i = 0; i < pending; i++) {
            create(
                    """
                    apiVersion: batch/v1
                    kind: Job
                    metadata:
                      name: w-%d
                      namespace: default
                      labels: {kueue.x-k8s.io/queue-name: %s}
                    spec:
                      suspend: true
                      template:
                        spec:
                          restartPolicy: Never
                          containers: [{name: c, image: c, resources: {requests: {cpu: "%d"}}}]
                    """
                            .formatted(i, Crowd.queue(i), crowd.cores()));
        }
    }

    private void create(String text) {
        Manifest.read("bench", text)
                .complete()
                .forEach(document -> cluster.create(document.resource(), WriteOptions.PLAIN));
    }

    private void lift(Resource queue) {
        cluster.update(
                queue.with(json -> json.withObjectProperty("spec").put("stopPolicy", "None")),
                WriteOptions.PLAIN);
    }

    private void hear(WatchEvent event) {
        var workload = event.object();
        var queue = workload.text("status", "admission", "clusterQueue");
        var mine = running.computeIfAbsent(queue, _ -> new ArrayDeque<>());
        boolean known = mine.stream().anyMatch(w -> w.key().equals(workload.key()));
        if (workload.is("Admitted") && !workload.is("Finished") && !known) {
            firstNanos = admitted == 0 ? System.nanoTime() : firstNanos;
            admitted++;
            mine.add(workload);
        }
    }

    private void second() {
        for (var queue : List.copyOf(running.values())) {
            var done = queue.poll();
            if (done != null) {
                complete(done);
            }
        }
        loop.settle(ENDLESS);
        now = now.plusSeconds(1);
        loop.settle(ENDLESS);
    }

    private void complete(Resource workload) {
        var name = workload.list("metadata", "ownerReferences").getFirst().path("name").asString();
        var job = cluster.find(Kinds.JOB.key(workload.namespace(), name)).orElseThrow();
        cluster.updateStatus(
                job.with(json -> Conditions.put(json, "Complete", true, "Done", "done", now)));
    }

    private static double heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }
}
