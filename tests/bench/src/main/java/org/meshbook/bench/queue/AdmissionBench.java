package org.meshbook.bench.queue;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.manifest.Manifest;

/// Lets Kueue admit many Jobs of one pod of one LocalQueue, and takes the time.
///
/// The Jobs wait behind a held ClusterQueue; the clock starts when the hold is lifted. If the quota
/// lets only some in at a time, pods complete at once, so that every admission but the first few
/// waits for a release. Times are those at which a watch shows the change. Nothing here is
/// particular to one cluster: the embedded one and a real one are measured alike. Pods run nowhere:
/// the node is one of KWOK's kind, whose pods are played.
final class AdmissionBench {
    private static final int THREADS = 8;
    private static final Duration LONGEST = Duration.ofMinutes(9);
    private static final Duration REST = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final Head head;
    private final PrintStream out;
    private final int jobs;
    private final int atATime;
    private final String name = "bench-" + System.currentTimeMillis();
    private final Sightings seen = new Sightings(name);

    /// @param cluster where
    /// @param head the process that it lives in, for its account
    /// @param jobs how many Jobs
    /// @param atATime how many of them have quota at the same time
    /// @param out where progress goes
    AdmissionBench(Cluster cluster, Head head, int jobs, int atATime, PrintStream out) {
        this.cluster = cluster;
        this.head = head;
        this.jobs = jobs;
        this.atATime = atATime;
        this.out = out;
    }

    private boolean completes() {
        return atATime < jobs;
    }

    /// @throws QueueBenchFailed if not all were admitted in time
    AdmissionResult.Row run() throws InterruptedException {
        // 1. a place for them
        objects().forEach(object -> cluster.create(object, WriteOptions.PLAIN));
        try (var _ = cluster.watch(Kinds.WORKLOAD, seen::hear)) {
            // 2. the jobs, from several threads
            long begun = System.nanoTime();
            submit();
            var submitted = Duration.ofNanos(System.nanoTime() - begun);
            await(Sightings.CREATED);
            var queued = Duration.ofNanos(System.nanoTime() - begun);
            out.println(
                    "%d jobs submitted in %s, as workloads in %s"
                            .formatted(jobs, Numbers.seconds(submitted), Numbers.seconds(queued)));
            seen.awaitRest(REST);
            // 3. the hold is lifted
            var before = head.cpu();
            long start = System.nanoTime();
            lift();
            await(Sightings.ADMITTED);
            var cpu = head.cpu().minus(before);
            var last = seen.last(Sightings.ADMITTED, start);
            var finished = Duration.ZERO;
            if (completes()) {
                await(Sightings.FINISHED);
                finished = seen.last(Sightings.FINISHED, start);
            }
            return new AdmissionResult.Row(
                    jobs,
                    atATime,
                    submitted,
                    queued,
                    seen.first(Sightings.ADMITTED, start),
                    last,
                    finished,
                    cpu);
        } finally {
            // 4. as it was
            clear();
        }
    }

    private List<Resource> objects() {
        var text =
                """
                apiVersion: v1
                kind: Namespace
                metadata: {name: NAME}
                ---
                apiVersion: v1
                kind: Node
                metadata:
                  name: NAME
                  labels: {bench: NAME}
                  annotations: {kwok.x-k8s.io/node: fake}
                status:
                  capacity: {cpu: "JOBS", memory: 1Ti, pods: "JOBS"}
                  allocatable: {cpu: "JOBS", memory: 1Ti, pods: "JOBS"}
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ResourceFlavor
                metadata: {name: NAME}
                spec: {nodeLabels: {bench: NAME}}
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ClusterQueue
                metadata: {name: NAME}
                spec:
                  namespaceSelector: {}
                  stopPolicy: Hold
                  resourceGroups:
                  - coveredResources: [cpu]
                    flavors: [{name: NAME, resources: [{name: cpu, nominalQuota: "QUOTA"}]}]
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                metadata: {name: bench, namespace: NAME}
                spec: {clusterQueue: NAME}
                """
                        .replace("NAME", name)
                        .replace("JOBS", Integer.toString(jobs))
                        .replace("QUOTA", Integer.toString(atATime));
        return resources(text);
    }

    private static List<Resource> resources(String text) {
        return Manifest.read("bench", text).complete().stream().map(d -> d.resource()).toList();
    }

    private void submit() throws InterruptedException {
        var job =
                resources(
                                """
                                apiVersion: batch/v1
                                kind: Job
                                metadata:
                                  name: job
                                  namespace: NAME
                                  labels: {kueue.x-k8s.io/queue-name: bench}
                                spec:
                                  suspend: true
                                  template:
                                    metadata: {annotations: {DONE}}
                                    spec:
                                      restartPolicy: Never
                                      containers:
                                      - {name: c, image: c, resources: {requests: {cpu: "1"}}}
                                """
                                        .replace("NAME", name)
                                        .replace(
                                                "DONE",
                                                completes()
                                                        ? "pod-complete.stage.kwok.x-k8s.io/delay: 0s"
                                                        : ""))
                        .getFirst();
        try (var threads = Executors.newFixedThreadPool(THREADS)) {
            var parts = new ArrayList<Future<?>>();
            for (int i = 0; i < THREADS; i++) {
                int first = i;
                parts.add(threads.submit(() -> submit(job, first)));
            }
            for (var part : parts) {
                part.get();
            }
        } catch (ExecutionException failed) {
            throw new QueueBenchFailed("a job was not taken: " + failed.getCause());
        }
    }

    private void submit(Resource job, int first) {
        for (int i = first; i < jobs; i += THREADS) {
            var id = "job-" + i;
            cluster.create(
                    job.with(json -> json.withObjectProperty("metadata").put("name", id)),
                    WriteOptions.PLAIN);
        }
    }

    private void lift() {
        var queue = cluster.find(Kinds.CLUSTER_QUEUE.key("", name)).orElseThrow();
        cluster.update(
                queue.with(
                        json -> {
                            json.withObjectProperty("metadata").remove("resourceVersion");
                            json.withObjectProperty("spec").put("stopPolicy", "None");
                        }),
                WriteOptions.PLAIN);
    }

    private void await(String step) throws InterruptedException {
        if (!seen.await(step, jobs, LONGEST)) {
            throw new QueueBenchFailed(
                    "%d of %d jobs are %s after %s; see kubectl describe clusterqueue %s"
                            .formatted(
                                    seen.count(step),
                                    jobs,
                                    step.toLowerCase(Locale.ROOT),
                                    Numbers.seconds(LONGEST),
                                    name));
        }
    }

    private void clear() {
        delete(Kinds.NAMESPACE.key("", name));
        delete(Kinds.CLUSTER_QUEUE.key("", name));
        delete(Kinds.RESOURCE_FLAVOR.key("", name));
        delete(Kinds.NODE.key("", name));
    }

    private void delete(ResourceKey key) {
        try {
            cluster.delete(key, Propagation.BACKGROUND);
        } catch (ApiException refused) {
            out.println("%s stays: %s".formatted(key, refused.getMessage()));
        }
    }
}
