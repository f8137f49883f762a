package org.meshbook.magics.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.cluster.local.LocalCluster;
import org.meshbook.cluster.local.Machines;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellTask;
import org.meshbook.magics.MeshbookExtension;
import org.meshbook.magics.daily.Session;

/// Cells, and a cluster whose pods are processes, which they reach over its API.
final class ClusterCells implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    /// Room for two CPUs; the queue is `user`.
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
                  resources: [{name: cpu, nominalQuota: 2}]
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: user, namespace: default}
            spec: {clusterQueue: main}
            """;

    private final LocalCluster local;
    private final KubernetesCluster client;
    private final Session session = new Session(List.of(new MeshbookExtension()));
    private final Path folder;

    ClusterCells(Path folder) throws IOException {
        this.folder = folder;
        local =
                LocalCluster.open(
                        folder.resolve("cluster"),
                        Profile.V0_17,
                        List.of(Machines.plain(), Machines.of("v5e=tpu-v5-lite-podslice:2x4:2")));
        client = Clusters.open(Optional.of(local.kubeconfig()), Optional.empty());
        assertThat(run("%cluster kubeconfig " + local.kubeconfig()).error()).isEmpty();
    }

    Cluster cluster() {
        return local.cluster();
    }

    Session session() {
        return session;
    }

    Session.Ran run(String code) {
        return session.run(code);
    }

    /// A cell that runs meanwhile.
    final class Running {
        private final Session.Recorder recorder = session.new Recorder();
        private final CellTask task;
        private final FutureTask<CellOutcome> outcome;

        Running(String code) {
            task = session.task(code, recorder);
            outcome = new FutureTask<>(task::run);
            Thread.ofVirtual().name("test-cell").start(outcome);
        }

        void interrupt() {
            task.interrupt();
        }

        void awaitOut(String text) {
            Awaitility.await().atMost(PATIENCE).until(() -> soFar().out().contains(text));
        }

        void awaitErr(String text) {
            Awaitility.await().atMost(PATIENCE).until(() -> soFar().err().contains(text));
        }

        Session.Ran end() {
            try {
                return ran(outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError("the cell does not end: " + soFar().out(), e);
            }
        }

        /// Its output; the outcome stands for none.
        private Session.Ran soFar() {
            return ran(new CellOutcome.Exit());
        }

        private Session.Ran ran(CellOutcome how) {
            return new Session.Ran(how, recorder);
        }
    }

    Running start(String code) {
        return new Running(code);
    }

    /// @return what a cell printed, which must have gone well
    String out(String code) {
        var ran = run(code);
        assertThat(ran.error()).isEmpty();
        return ran.out();
    }

    /// @return the tables of a cell, which must have gone well
    String shown(String code) {
        var ran = run(code);
        assertThat(ran.error()).isEmpty();
        return ran.shown();
    }

    Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    void queue() {
        create(QUEUE);
    }

    /// Over the API, as people do.
    void create(String yaml) {
        for (var document : Manifest.read("test", yaml).complete()) {
            var unused = client.create(document.resource(), WriteOptions.PLAIN);
        }
    }

    /// @param labels such as `{kueue.x-k8s.io/queue-name: user}`
    /// @param script what its pods do
    /// @return a Job of one pod of two CPUs
    static String job(String name, String labels, String script) {
        return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default, labels: %s}
        spec:
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              terminationGracePeriodSeconds: 1
              containers:
              - name: main
                image: busybox
                command: [sh, -c, '%s']
                resources: {requests: {cpu: 2}}
        """
                .formatted(name, labels, script);
    }

    static String queued(String name, String script) {
        return job(name, "{kueue.x-k8s.io/queue-name: user}", script);
    }

    void await(ResourceKey key, Predicate<Resource> so) {
        Awaitility.await().atMost(PATIENCE).until(() -> cluster().find(key).filter(so).isPresent());
    }

    void awaitGone(ResourceKey key) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> cluster().find(key).equals(Optional.empty()));
    }

    @Override
    public void close() {
        session.close();
        client.close();
        local.close();
    }
}
