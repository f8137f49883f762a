package org.meshbook.cluster.local.supply;

import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.elastic.slices.supply.SupplyRequest;
import org.meshbook.elastic.slices.supply.WorkerProgram;
import tools.jackson.databind.node.ObjectNode;

/// The JobSets that stand for slices.
///
/// A host that crashes is started again in its pod, by the kubelet's rules: at once, then later
/// each time. The job as such never fails: whether a slice is worth its place is the program's
/// business.
public final class SliceJobs {
    static final String NAMESPACE = "default";

    /// Label: whose slice it is.
    static final String SESSION = "meshbook.org/session";

    /// Label: which of its slices.
    static final String SLICE = "meshbook.org/slice";

    /// The image of a worker; see [QueueSupply].
    public static final String IMAGE = "meshbook-worker";

    static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final String PRIORITY = "kueue.x-k8s.io/priority-class";
    private static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";
    private static final String POOL = "cloud.google.com/gke-nodepool";

    /// After its notice, a worker has a moment to end by itself.
    private static final Duration MOMENT = Duration.ofSeconds(3);

    private static final String TEMPLATE =
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: %s
              namespace: default
            spec:
              replicatedJobs:
              - name: hosts
                replicas: 1
                template:
                  spec:
                    completionMode: Indexed
                    completions: %2$d
                    parallelism: %2$d
                    backoffLimit: 1000000
                    template:
                      metadata: {}
                      spec:
                        restartPolicy: OnFailure
                        terminationGracePeriodSeconds: %3$d
                        containers:
                        - name: worker
                          image: meshbook-worker
                          env:
                          - name: %4$s
                            value: "%5$s"
                          - name: %6$s
                            value: "%7$d"
                          - name: %8$s
                            valueFrom: {fieldRef: {fieldPath: metadata.name}}
                          resources:
                            requests: {%9$s: "%10$d"}
                            limits: {%9$s: "%10$d"}
            """;

    private SliceJobs() {}

    static String name(SupplyRequest request, int slice) {
        return request.name() + "-slice-" + slice;
    }

    static Resource of(SupplyRequest request, Shape shape, int slice) {
        long grace = request.notice().plus(MOMENT).toSeconds();
        var text =
                TEMPLATE.formatted(
                        name(request, slice),
                        shape.hosts(),
                        grace,
                        WorkerProgram.SESSION,
                        request.session(),
                        WorkerProgram.SLICE,
                        slice,
                        WorkerProgram.TITLE,
                        shape.resource(),
                        shape.amount());
        return Manifest.read("slice", text)
                .complete()
                .getFirst()
                .resource()
                .with(json -> label(json, request, shape, slice));
    }

    private static void label(ObjectNode json, SupplyRequest request, Shape shape, int slice) {
        var metadata = json.withObjectProperty("metadata");
        var labels = metadata.putObject("labels");
        labels.put(QUEUE, request.queue());
        if (!request.priorityClass().isEmpty()) {
            labels.put(PRIORITY, request.priorityClass());
        }
        if (shape.manyHostsOfChips()) {
            // Hosts of one slice must be wired to each other.
            metadata.putObject("annotations").put(EXCLUSIVE, POOL);
        }
        var template = (ObjectNode) json.at("/spec/replicatedJobs/0/template/spec/template");
        mark(labels, request, slice);
        mark(template.withObjectProperty("metadata").putObject("labels"), request, slice);
        var selector = template.withObjectProperty("spec").putObject("nodeSelector");
        shape.selector().forEach(selector::put);
    }

    private static void mark(ObjectNode labels, SupplyRequest request, int slice) {
        labels.put(SESSION, request.session()).put(SLICE, Integer.toString(slice));
    }

    /// Deletes what an earlier head left: its sessions went with it.
    ///
    /// @param cluster where
    public static void sweep(Cluster cluster) {
        delete(cluster, labels -> labels.containsKey(SESSION));
    }

    static void delete(Cluster cluster, Predicate<Map<String, String>> which) {
        for (var set : cluster.list(Kinds.JOB_SET, NAMESPACE)) {
            if (which.test(set.labels())) {
                try {
                    cluster.delete(set.key(), Propagation.BACKGROUND);
                } catch (ApiException refused) {
                    if (!refused.missing()) {
                        throw refused;
                    }
                }
            }
        }
    }
}
