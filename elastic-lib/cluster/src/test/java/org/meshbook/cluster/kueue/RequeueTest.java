package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.queue.PodsReady;
import org.meshbook.cluster.queue.Rules;

/// How a workload that lost its quota comes back: the condition Requeued, reason by reason.
final class RequeueTest {
    private static String requeued(Stage stage, String jobSet) {
        return Stage.condition(stage.workload(jobSet), "Requeued");
    }

    private static void stop(Stage stage, String policy) {
        stage.edit(
                Kinds.CLUSTER_QUEUE,
                "cluster-queue",
                json -> json.withObjectProperty("spec").put("stopPolicy", policy));
    }

    private static void activate(Stage stage, String jobSet, boolean on) {
        stage.edit(
                Kinds.WORKLOAD,
                stage.workload(jobSet).name(),
                json -> json.withObjectProperty("spec").put("active", on));
    }

    private static Stage waitsForPods(PodsReady rule) {
        return new Stage(Rules.of(Profile.V0_17).withPodsReady(Optional.of(rule))).seed();
    }

    @Test
    @DisplayName("kueue#2291, #2362: preempted ones may come back at once")
    void preemptedOnesComeBackAtOnce() {
        try (var stage =
                Stage.standard().seed("preemption: {withinClusterQueue: 'LowerPriority'}")) {
            stage.priorityClass("high", 9, false);
            stage.jobSet("low", 3).jobSet("high", 1, "priorityClassName: 'high',");
            assertThat(requeued(stage, "low"))
                    .startsWith("True Preempted Preempted to accommodate a workload (UID: ");
        }
    }

    @Test
    @DisplayName("kueue#2291, #2362: those of a stopped queue come back when it goes on")
    void thoseOfAStoppedQueueComeBackWhenItGoesOn() {
        try (var stage = Stage.standard().seed().jobSet("a", 1)) {
            stop(stage, "HoldAndDrain");
            assertThat(requeued(stage, "a"))
                    .isEqualTo("False ClusterQueueStopped The ClusterQueue is stopped");
            stop(stage, "None");
            assertThat(requeued(stage, "a"))
                    .isEqualTo(
                            "True ClusterQueueRestarted The ClusterQueue was restarted after being"
                                    + " stopped");
        }
    }

    @Test
    @DisplayName("kueue#2291, #2362: those that were deactivated come back when they are active")
    void deactivatedOnesComeBackWhenTheyAreActive() {
        try (var stage = Stage.standard().seed().jobSet("a", 1)) {
            activate(stage, "a", false);
            assertThat(requeued(stage, "a"))
                    .isEqualTo("False Deactivated The workload is deactivated");
            activate(stage, "a", true);
            assertThat(requeued(stage, "a"))
                    .isEqualTo("True Reactivated The workload was reactivated");
        }
    }

    @Test
    @DisplayName("kueue#2291, #2362: those whose pods were not ready come back after a pause")
    void unreadyOnesComeBackAfterAPause() {
        try (var stage = waitsForPods(PodsReady.USUAL).jobSet("a", 1)) {
            stage.after(Duration.ofMinutes(5));
            assertThat(requeued(stage, "a"))
                    .startsWith("False PodsReadyTimeout Exceeded the PodsReady timeout default/");
            assertThat(stage.runs("a")).isFalse();
            stage.after(Duration.ofSeconds(59));
            assertThat(stage.runs("a")).isFalse();
            stage.after(Duration.ofSeconds(3));
            assertThat(requeued(stage, "a"))
                    .isEqualTo("True BackoffFinished The workload backoff was finished");
            assertThat(stage.runs("a")).isTrue();
        }
    }

    @Test
    @DisplayName("kueue#2174: who used up its returns gets them all again when it is activated")
    void activationGivesAllReturnsBack() {
        var once =
                new PodsReady(
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(5),
                        true,
                        OptionalInt.of(1),
                        Duration.ofSeconds(1),
                        Duration.ofHours(1));
        try (var stage = waitsForPods(once).jobSet("a", 1)) {
            stage.after(Duration.ofMinutes(11));
            assertThat(Stage.condition(stage.workload("a"), "Evicted"))
                    .isEqualTo(
                            "True DeactivatedDueToRequeuingLimitExceeded The workload is"
                                    + " deactivated due to exceeding the maximum number of"
                                    + " re-queuing retries");
            activate(stage, "a", true);
            stage.after(Duration.ofSeconds(2));
            assertThat(stage.runs("a")).isTrue();
            assertThat(stage.workload("a").at("status", "requeueState").isMissingNode()).isTrue();
            stage.after(Duration.ofMinutes(6));
            assertThat(stage.workload("a").at("spec", "active").asBoolean(true)).isTrue();
        }
    }

    @Test
    @DisplayName("requeuingStrategy.timestamp: by eviction it queues anew, by creation it does not")
    void placeFollowsTheTimestamp() {
        for (boolean fromEviction : new boolean[] {true, false}) {
            var rule =
                    new PodsReady(
                            Duration.ofMinutes(5),
                            Duration.ofMinutes(5),
                            fromEviction,
                            OptionalInt.empty(),
                            Duration.ofSeconds(1),
                            Duration.ofHours(1));
            try (var stage = waitsForPods(rule).jobSet("first", 3)) {
                stop(stage, "None");
                stage.seconds(1).jobSet("second", 3);
                stage.after(Duration.ofMinutes(5));
                assertThat(stage.runs("second")).as("from eviction: " + fromEviction).isTrue();
                stage.seconds(10);
                stage.pods("second", 3, 3).finish("second").seconds(2);
                assertThat(stage.runs("first")).isTrue();
            }
        }
    }

    @Test
    @DisplayName("kueue#12685, #12929: why it waits is told anew when the reason is another")
    void reasonToWaitIsNotStale() {
        try (var stage = Stage.standard().seed().jobSet("a", 3)) {
            stop(stage, "Hold");
            stage.jobSet("b", 1);
            assertThat(stage.why("b")).isEqualTo("ClusterQueue cluster-queue is inactive");
            stop(stage, "None");
            stage.seconds(1);
            assertThat(stage.why("b"))
                    .isEqualTo(
                            "couldn't assign flavors to pod set slice: insufficient unused quota"
                                    + " for google.com/tpu in flavor vlp-24, 8 more needed");
        }
    }
}
