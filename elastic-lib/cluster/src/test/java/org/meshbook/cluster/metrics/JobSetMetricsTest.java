package org.meshbook.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.jobs.Machine;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.TpuSlice;

/// Figures of JobSets whose slices are lost and repaired, on a clock that the test turns.
class JobSetMetricsTest {
    private static final String V5E = "tpu-v5-lite-podslice";

    /// How finely the clock is turned, and what the start of pods takes.
    private static final Offset<Double> ROUGHLY = Offset.offset(3.0);

    private final Machine machine = Machine.open();
    private ClusterMetrics metrics =
            ClusterMetrics.of(machine.rig().cluster(), () -> machine.rig().now());

    @AfterEach
    void close() {
        metrics.close();
        machine.close();
    }

    private static String set(String name, int slices) {
        return """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata:
          name: %s
          namespace: default
          annotations:
            alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
        spec:
          failurePolicy: {maxRestarts: 10}
          replicatedJobs:
          - name: slice
            replicas: %d
            template:
              spec:
                backoffLimit: 0
                completions: 2
                parallelism: 2
                template:
                  spec:
                    restartPolicy: Never
                    nodeSelector:
                      cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
                    containers:
                    - name: main
                      image: python:3.11
                      command: [python3, train.py]
                      resources: {limits: {google.com/tpu: 4}}
        """
                .formatted(name, slices);
    }

    private Figures now() {
        return Figures.of(metrics);
    }

    private void lose(String pool) {
        machine.pools().lose(pool);
        machine.rig().settle();
    }

    /// Loses a pool for some time, and waits until all pods run again.
    ///
    /// @return how long they did not, in seconds
    private double outage(String pool, int seconds) {
        var start = machine.rig().now();
        lose(pool);
        assertThat(now().at("meshbook_jobset_up")).isZero();
        machine.run(seconds);
        repair(pool);
        // Followers are made with a back-off that grew while their leader waited.
        for (int i = 0; i < 120 && machine.running("") < 4; i++) {
            machine.run(1);
        }
        assertThat(machine.running("")).isEqualTo(4);
        return Duration.between(start, machine.rig().now()).toSeconds();
    }

    private void repair(String pool) {
        machine.pools().add(NodePool.of(pool, TpuSlice.of(V5E, "2x4")));
        machine.rig().settle();
    }

    @Test
    @DisplayName("A30 times to recover and between interruptions, of a scripted failure")
    void lostSlicesAreInterruptionsUntilTheRepair() {
        machine.slices(2, V5E, "2x4").apply(set("multislice", 2)).run(5);
        assertThat(now().at("meshbook_jobset_up", "jobset_name", "multislice")).isEqualTo(1);
        machine.run(100);

        double first = outage("pool-1", 40);
        machine.run(210);
        double second = outage("pool-2", 20);
        machine.run(60);

        var figures = now();
        assertThat(figures.at("meshbook_jobset_interruptions_total", "jobset_name", "multislice"))
                .isEqualTo(2);
        assertThat(figures.of("multislice", "times_to_recover_count")).isEqualTo(2);
        assertThat(figures.of("multislice", "times_to_recover_sum"))
                .isCloseTo(first + second, ROUGHLY);
        assertThat(figures.of("multislice", "times_between_interruptions_count")).isEqualTo(1);
        assertThat(figures.of("multislice", "times_between_interruptions_sum"))
                .isCloseTo(210.0, ROUGHLY);
        assertThat(figures.of("multislice", "uptime")).isCloseTo(105.0 + 210 + 60, ROUGHLY);
        assertThat(figures.at("kube_jobset_restarts", "jobset_name", "multislice")).isEqualTo(2);
    }

    @Test
    void jobSetThatCompletesWasNeverInterrupted() {
        machine.script("quick-.*", Duration.ofSeconds(30), 0);
        machine.slices(1, V5E, "2x4").apply(set("quick", 1)).run(120);

        var figures = now();
        assertThat(machine.set("quick").is("Completed")).isTrue();
        assertThat(figures.at("meshbook_jobset_interruptions_total")).isZero();
        assertThat(figures.of("quick", "uptime")).isCloseTo(30.0, ROUGHLY);
        assertThat(figures.at("jobset_completed_total", "jobset_name", "quick")).isEqualTo(1);
        assertThat(figures.at("jobset_failed_total", "jobset_name", "quick")).isZero();
        assertThat(
                        figures.at(
                                "kube_jobset_succeeded_replicas",
                                "jobset_name",
                                "quick",
                                "replicatedjob_name",
                                "slice"))
                .isEqualTo(1);
    }

    @Test
    void podThatHasFinishedStillCounts() {
        machine.script("uneven-slice-0-0-.*", Duration.ofSeconds(10), 0);
        machine.slices(1, V5E, "2x4").apply(set("uneven", 1)).run(60);

        assertThat(now().at("meshbook_jobset_up")).isEqualTo(1);
        assertThat(now().at("meshbook_jobset_interruptions_total")).isZero();
    }

    @Test
    void jobSetThatFailsForGoodIsTold() {
        machine.script("bad-.*", Duration.ofSeconds(10), 1);
        machine.slices(1, V5E, "2x4");
        machine.apply(set("bad", 1).replace("maxRestarts: 10", "maxRestarts: 0")).run(60);

        assertThat(now().at("jobset_failed_total", "jobset_name", "bad")).isEqualTo(1);
        assertThat(now().of("bad", "uptime")).isCloseTo(10.0, ROUGHLY);
    }

    @Test
    void deletedJobSetIsToldOfForAWhileAndThenForgotten() {
        machine.slices(1, V5E, "2x4").apply(set("short", 1)).run(30);
        machine.rig().cluster().delete(machine.set("short").key(), Propagation.BACKGROUND);
        machine.run(60);
        assertThat(now().of("short", "uptime")).isCloseTo(30.0, ROUGHLY);
        assertThat(now().at("meshbook_jobset_interruptions_total")).isZero();

        machine.run(Duration.ofMinutes(16));
        assertThat(now().samples()).noneMatch(s -> s.labels().containsValue("short"));
    }

    @Test
    void anotherOfTheSameNameBeginsAnew() {
        machine.slices(1, V5E, "2x4").apply(set("again", 1)).run(30);
        machine.rig().cluster().delete(machine.set("again").key(), Propagation.BACKGROUND);
        machine.run(60).apply(set("again", 1)).run(10);

        assertThat(machine.rig().cluster().list(Kinds.JOB_SET, "")).hasSize(1);
        assertThat(now().of("again", "uptime")).isCloseTo(10.0, ROUGHLY);
    }

    @Test
    void podsThatAnEarlierOneOfTheNameLeftDoNotCount() {
        machine.rig()
                .create(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: left-slice-0-0-abcde
                          labels:
                            jobset.sigs.k8s.io/jobset-name: left
                            jobset.sigs.k8s.io/jobset-uid: an-earlier-one
                            jobset.sigs.k8s.io/replicatedjob-name: slice
                            jobset.sigs.k8s.io/job-key: left-slice-0
                            jobset.sigs.k8s.io/restart-attempt: "7"
                        spec: {containers: [{name: main, image: python:3.11}]}
                        """);
        metrics.close();
        metrics = ClusterMetrics.of(machine.rig().cluster(), () -> machine.rig().now());

        machine.slices(1, V5E, "2x4").apply(set("left", 1)).run(10);
        assertThat(now().at("meshbook_jobset_up", "jobset_name", "left")).isEqualTo(1);
        lose("pool-1");
        assertThat(now().at("meshbook_jobset_interruptions_total", "jobset_name", "left"))
                .isEqualTo(1);
    }

    @Test
    void whoWatchesLateTakesOverWhatObjectsTell() {
        machine.slices(2, V5E, "2x4").apply(set("late", 2)).run(50);
        outage("pool-1", 10);
        machine.run(100);

        metrics.close();
        metrics = ClusterMetrics.of(machine.rig().cluster(), () -> machine.rig().now());

        assertThat(now().of("late", "uptime")).isCloseTo(100.0, ROUGHLY);
        assertThat(now().at("kube_jobset_restarts", "jobset_name", "late")).isEqualTo(1);
    }
}
