package org.meshbook.cluster.local.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.link.LoggedEvent;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.QueueRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;

/// A real head with a cluster in it, and a queue with room for two slices.
final class QueuedHead implements AutoCloseable {
    /// Five times what a machine at rest needs at most.
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ResourceFlavor
            metadata: {name: plain}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: main}
            spec:
              namespaceSelector: {}
              preemption: {withinClusterQueue: LowerPriority}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - name: plain
                  resources: [{name: cpu, nominalQuota: 2}]
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: user, namespace: default}
            spec: {clusterQueue: main}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: WorkloadPriorityClass
            metadata: {name: urgent}
            value: 100
            """;

    private static final String JOB =
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: %s
              namespace: default
              labels:
                kueue.x-k8s.io/queue-name: user
                kueue.x-k8s.io/priority-class: urgent
            spec:
              replicatedJobs:
              - name: work
                template:
                  spec:
                    backoffLimit: 0
                    template:
                      spec:
                        restartPolicy: Never
                        containers:
                        - name: main
                          image: busybox
                          command: [sleep, "600"]
                          resources: {requests: {cpu: "1"}}
            """;

    private final Path folder;
    private final Session keeper;
    private final KubernetesCluster cluster;

    QueuedHead() throws IOException {
        folder = Files.createTempDirectory("meshbook-queued-");
        keeper = open("keeper");
        cluster = connect(keeper);
        apply(QUEUE);
    }

    private static KubernetesCluster connect(Session session) {
        var facts = session.guest("cluster", Map.of());
        return Clusters.open(
                Optional.of(Path.of(String.valueOf(facts.get("kubeconfig")))), Optional.empty());
    }

    /// A cluster of whichever head runs now.
    KubernetesCluster reconnect(Session session) {
        return connect(session);
    }

    Session open(String name) {
        return Session.open(SessionOptions.named(name).withFolder(folder));
    }

    SessionOptions options(String name) {
        return SessionOptions.named(name).withFolder(folder);
    }

    long headPid() {
        return keeper.headPid();
    }

    KubernetesCluster cluster() {
        return cluster;
    }

    void apply(String yaml) {
        for (var document : Manifest.read("test", yaml).complete()) {
            cluster.apply(document.resource(), WriteOptions.PLAIN);
        }
    }

    /// A more important job that takes half of the quota until it is deleted.
    void applyUrgent(String name) {
        apply(JOB.formatted(name));
    }

    void delete(ResourceKind kind, String name) {
        try {
            cluster.delete(kind.key("default", name), Propagation.BACKGROUND);
        } catch (ApiException gone) {
            if (!gone.missing()) {
                throw gone;
            }
        }
    }

    static ProvisionRequest slices(int count, QueueRequest queue) {
        return ProvisionRequest.of(count)
                .withEngine("reference")
                .withHeartbeat(Duration.ofSeconds(10))
                .withNotice(Duration.ofSeconds(30))
                .through(queue)
                .force();
    }

    static QueueRequest queue(String name, int atLeast) {
        return new QueueRequest("user", "", "", atLeast, name);
    }

    static void awaitHealthy(Session session, int count) throws InterruptedException {
        if (!session.await(now -> now.healthy().size() == count, PATIENCE)) {
            throw new AssertionError(
                    "%d slices wanted, there is %s; events %s"
                            .formatted(
                                    count, session.membership().now().view(), session.events(100)));
        }
    }

    static List<String> events(Session session, String kind) {
        return session.events(1000).stream()
                .filter(event -> event.kind().equals(kind))
                .map(LoggedEvent::text)
                .toList();
    }

    List<String> jobs() {
        return cluster.list(Kinds.JOB_SET, "default").stream()
                .map(Resource::name)
                .sorted()
                .toList();
    }

    static void awaitNoTrace(KubernetesCluster cluster, String name) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            for (var kind :
                                    List.of(Kinds.JOB_SET, Kinds.JOB, Kinds.POD, Kinds.WORKLOAD)) {
                                assertThat(cluster.list(kind, "default"))
                                        .as(kind.plural())
                                        .extracting(Resource::name)
                                        .noneMatch(each -> each.contains(name + "-slice"));
                            }
                        });
    }

    static List<Long> pids(Session session) {
        return session.membership().now().view().slices().stream()
                .flatMap(slice -> slice.hosts().stream())
                .map(host -> host.pid())
                .filter(pid -> pid > 0)
                .toList();
    }

    static void awaitEnded(List<Long> pids) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () ->
                                pids.stream()
                                        .noneMatch(
                                                pid ->
                                                        ProcessHandle.of(pid)
                                                                .filter(ProcessHandle::isAlive)
                                                                .isPresent()));
    }

    @Override
    public void close() throws IOException {
        cluster.close();
        keeper.close();
        LocalHead.at(folder).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }
}
