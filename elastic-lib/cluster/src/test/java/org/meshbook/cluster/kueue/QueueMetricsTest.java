package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.metrics.ClusterMetrics;
import org.meshbook.cluster.metrics.Figures;

/// Figures of queues, by the names that Kueue gives them.
final class QueueMetricsTest {
    private static final String QUEUE = "cluster-queue";
    private final Stage stage =
            Stage.standard().seed("preemption: {withinClusterQueue: 'LowerPriority'}");
    private ClusterMetrics metrics = open();

    private ClusterMetrics open() {
        return ClusterMetrics.of(stage.rig.cluster(), stage.rig::now);
    }

    @AfterEach
    void close() {
        metrics.close();
        stage.close();
    }

    private double of(String name, String... more) {
        var labels = new String[more.length + 2];
        labels[0] = "cluster_queue";
        labels[1] = QUEUE;
        System.arraycopy(more, 0, labels, 2, more.length);
        return Figures.of(metrics).at(name, labels);
    }

    @Test
    void workloadsAreCountedWhereTheyAre() {
        stage.jobSet("3slice", 3).seconds(1).jobSet("1slice", 1).jobSet("2slice", 2).seconds(1);

        assertThat(of("kueue_admitted_active_workloads")).isEqualTo(1);
        assertThat(of("kueue_reserving_active_workloads")).isEqualTo(1);
        assertThat(of("kueue_pending_workloads", "status", "inadmissible")).isEqualTo(2);
        assertThat(of("kueue_pending_workloads", "status", "active")).isZero();
        assertThat(of("kueue_cluster_queue_status", "status", "active")).isEqualTo(1);
    }

    @Test
    void waitsAreMeasuredFromCreationToAdmission() {
        stage.jobSet("3slice", 3).seconds(1).jobSet("1slice", 1).seconds(59);
        stage.finish("3slice").seconds(5);

        assertThat(of("kueue_admitted_workloads_total")).isEqualTo(2);
        assertThat(of("kueue_admission_wait_time_seconds_count")).isEqualTo(2);
        assertThat(of("kueue_admission_wait_time_seconds_sum")).isBetween(59.0, 61.0);
        assertThat(of("kueue_admission_wait_time_seconds_bucket", "le", "1")).isEqualTo(1);
        assertThat(of("kueue_admission_wait_time_seconds_bucket", "le", "80")).isEqualTo(2);
    }

    @Test
    void quotaAndWhatIsUsedOfIt() {
        stage.jobSet("2slice", 2).seconds(1);

        assertThat(of("kueue_cluster_queue_nominal_quota", "flavor", "vlp-24")).isEqualTo(24);
        assertThat(of("kueue_cluster_queue_resource_usage", "resource", "google.com/tpu"))
                .isEqualTo(16);
        assertThat(of("kueue_cluster_queue_resource_reservation")).isEqualTo(16);
    }

    private void preempt() {
        stage.priorityClass("high", 100, false);
        stage.jobSet("3slice", 3).pods("3slice", 3, 3).seconds(1);
        stage.jobSet("high", 1, "priorityClassName: 'high',").pods("3slice", 0, 0).seconds(1);
    }

    @Test
    @DisplayName("§16 evicted and preempted workloads, with reasons")
    void preemptionIsCountedOnBothSides() {
        preempt();

        assertThat(of("kueue_evicted_workloads_total", "reason", "Preempted")).isEqualTo(1);
        assertThat(
                        Figures.of(metrics)
                                .at(
                                        "kueue_preempted_workloads_total",
                                        "preempting_cluster_queue",
                                        QUEUE,
                                        "reason",
                                        "InClusterQueue"))
                .isEqualTo(1);
        assertThat(of("kueue_admitted_workloads_total")).isEqualTo(2);
    }

    @Test
    void whoWatchesLateCountsWhatWorkloadsRemember() {
        preempt();
        stage.finish("high").seconds(5);
        assertThat(of("kueue_admitted_workloads_total")).isEqualTo(3);

        metrics.close();
        metrics = open();

        assertThat(of("kueue_evicted_workloads_total", "reason", "Preempted")).isEqualTo(1);
        // Of a workload's admissions the last one is remembered.
        assertThat(of("kueue_admitted_workloads_total")).isEqualTo(2);
    }

    @Test
    void queueThatIsGoneIsNotToldOf() {
        stage.jobSet("1slice", 1).finish("1slice").seconds(1);
        stage.rig.cluster().remove(Kinds.CLUSTER_QUEUE.key("", QUEUE));
        stage.seconds(1);

        assertThat(Figures.of(metrics).samples())
                .noneMatch(sample -> sample.labels().containsValue(QUEUE));
    }
}
