package org.meshbook.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;

/// The head's process is killed while it admits jobs and their pods run; the next one goes on.
@Timeout(240)
class HeadKilledTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int JOBS = 6;
    private static final int QUOTA = 3;
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
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - name: plain
                  resources: [{name: cpu, nominalQuota: %d}]
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: user, namespace: default}
            spec: {clusterQueue: main}
            """
                    .formatted(QUOTA);

    /// Two indexes, one after the other; each waits for the gate and then leaves its mark.
    /// Kubernetes reads two dollars as one.
    private static final String JOB =
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: %s
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: user}
            spec:
              completionMode: Indexed
              completions: 2
              parallelism: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    resources: {requests: {cpu: 1}}
                    command:
                    - sh
                    - -c
                    - |
                      echo $$$$ >> %2$s/pids
                      while [ ! -e %2$s/gate ]; do sleep 0.1; done
                      echo %1$s $JOB_COMPLETION_INDEX >> %2$s/done
            """;

    @TempDir private Path folder;

    private Session open() {
        return Session.open(SessionOptions.named("test").withFolder(folder.resolve("run")));
    }

    private static KubernetesCluster cluster(Session session) {
        var facts = session.guest("cluster", Map.of());
        return Clusters.open(
                Optional.of(Path.of(facts.getOrDefault("kubeconfig", ""))), Optional.empty());
    }

    @Test
    void killedHeadIsFollowedByOneThatFinishesEveryIndexOnce() throws Exception {
        Files.createDirectory(
                folder.resolve("run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        // 1. kill it while it admits jobs and the pods of the first ones run
        try (var session = open()) {
            try (var cluster = cluster(session)) {
                create(cluster, QUEUE);
                IntStream.range(0, JOBS)
                        .forEach(i -> create(cluster, JOB.formatted("job-" + i, folder)));
                await().atMost(PATIENCE).until(() -> lines("pids").size() >= 2);
            }
            var head = ProcessHandle.of(session.headPid()).orElseThrow();
            head.destroyForcibly();
            head.onExit().get(30, TimeUnit.SECONDS);
        }
        var old = lines("pids");
        // 2. the next one finds all of it, and none of the old pods' processes is left
        try (var session = open();
                var cluster = cluster(session)) {
            assertThat(old).noneMatch(HeadKilledTest::lives);
            consistent(cluster);
            Files.createFile(folder.resolve("gate"));
            await().atMost(PATIENCE)
                    .until(
                            () -> {
                                consistent(cluster);
                                return cluster.list(Kinds.JOB, "default").stream()
                                        .allMatch(job -> job.is("Complete"));
                            });
            // 3. each index was done once
            var all = new TreeSet<String>();
            IntStream.range(0, 2 * JOBS).forEach(i -> all.add("job-%d %d".formatted(i / 2, i % 2)));
            assertThat(lines("done")).containsExactlyInAnyOrderElementsOf(all);
            assertThat(cluster.list(Kinds.JOB, "default"))
                    .hasSize(JOBS)
                    .allSatisfy(
                            job -> {
                                assertThat(job.at("status", "succeeded").asInt()).isEqualTo(2);
                                assertThat(job.text("status", "completedIndexes")).isEqualTo("0,1");
                            });
            assertThat(cluster.list(Kinds.WORKLOAD, "default"))
                    .hasSize(JOBS)
                    .allMatch(workload -> workload.is("Finished"));
        }
    }

    private static void create(KubernetesCluster cluster, String yaml) {
        for (var document : Manifest.read("test", yaml).complete()) {
            var unused = cluster.create(document.resource(), WriteOptions.PLAIN);
        }
    }

    /// No more is admitted than there is, every pod has its job, and no index has two pods at work.
    private static void consistent(KubernetesCluster cluster) {
        var holding =
                cluster.list(Kinds.WORKLOAD, "default").stream()
                        .filter(workload -> workload.is("QuotaReserved"))
                        .filter(workload -> !workload.is("Finished"))
                        .toList();
        assertThat(holding).hasSizeLessThanOrEqualTo(QUOTA);
        var pods =
                cluster.list(Kinds.POD, "default").stream()
                        .filter(pod -> !pod.deleting())
                        .filter(pod -> pod.text("status", "phase").matches("Pending|Running"))
                        .toList();
        assertThat(pods).extracting(HeadKilledTest::index).doesNotHaveDuplicates();
        var jobs = cluster.list(Kinds.JOB, "default").stream().map(Resource::uid).toList();
        assertThat(pods).allMatch(pod -> jobs.containsAll(pod.owners()));
    }

    private static String index(Resource pod) {
        var labels = pod.labels();
        return labels.get("batch.kubernetes.io/job-name")
                + " "
                + labels.get("batch.kubernetes.io/job-completion-index");
    }

    private List<String> lines(String file) throws IOException {
        var path = folder.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    private static boolean lives(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isPresent();
    }
}
