package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;

/// The multislice documents: 24 chips, JobSets of one, two and three slices.
final class MultisliceTest {
    private static final String LOWER = "preemption: {withinClusterQueue: 'LowerPriority'}";

    @Test
    @DisplayName("A1: file order")
    void inTheOrderOfTheFileTheFirstTwoRunAndTheThirdWaits() {
        try (var stage = Stage.standard().seed()) {
            stage.jobSet("multislice-1slice", 1).seconds(1).jobSet("multislice-2slice", 2);
            stage.seconds(1).jobSet("multislice-3slice", 3);
            assertThat(stage.runs("multislice-1slice")).isTrue();
            assertThat(stage.runs("multislice-2slice")).isTrue();
            assertThat(stage.runs("multislice-3slice")).isFalse();
            assertThat(stage.why("multislice-3slice"))
                    .isEqualTo(
                            "couldn't assign flavors to pod set slice: insufficient unused quota"
                                    + " for google.com/tpu in flavor vlp-24, 24 more needed");
            stage.finish("multislice-1slice").seconds(1);
            assertThat(stage.why("multislice-3slice")).endsWith("16 more needed");
            stage.finish("multislice-2slice").after(Duration.ofMillis(999));
            assertThat(stage.runs("multislice-3slice")).isFalse();
            stage.after(Duration.ofMillis(1));
            assertThat(stage.runs("multislice-3slice")).isTrue();
        }
    }

    @Test
    @DisplayName("A2: the order of the documents")
    void submittedFirstTheLargestRunsAloneAndThenTheOthersTogether() {
        try (var stage = Stage.standard().seed()) {
            stage.jobSet("3", 3).seconds(2).jobSet("2", 2).seconds(2).jobSet("1", 1);
            assertThat(stage.runs("3")).isTrue();
            assertThat(stage.runs("2") || stage.runs("1")).isFalse();
            stage.finish("3").seconds(1);
            assertThat(stage.runs("2") && stage.runs("1")).isTrue();
        }
    }

    @Test
    void theWorkloadIsNamedAfterItsJobAndCarriesItsPods() {
        try (var stage = Stage.standard().seed().jobSet("multislice-1slice", 1)) {
            var workload = stage.workload("multislice-1slice");
            assertThat(workload.name()).matches("jobset-multislice-1slice-[0-9a-f]{5}");
            assertThat(workload.text("spec", "queueName")).isEqualTo("multislice-queue");
            var podSet = workload.list("spec", "podSets").getFirst();
            assertThat(podSet.path("name").asString()).isEqualTo("slice");
            assertThat(podSet.path("count").asInt()).isEqualTo(2);
            var assignment = workload.list("status", "admission", "podSetAssignments").getFirst();
            assertThat(assignment.path("flavors").path("google.com/tpu").asString())
                    .isEqualTo("vlp-24");
            assertThat(assignment.path("resourceUsage").path("google.com/tpu").asString())
                    .isEqualTo("8");
        }
    }

    @Test
    @DisplayName("OT9, OT10: conditions and events of the common path")
    void conditionsAndEventsReadAsTheRealOnes() {
        try (var stage = Stage.standard().seed().jobSet("js", 1)) {
            var workload = stage.workload("js");
            assertThat(Stage.condition(workload, "QuotaReserved"))
                    .isEqualTo("True QuotaReserved Quota reserved in ClusterQueue cluster-queue");
            assertThat(Stage.condition(workload, "Admitted"))
                    .isEqualTo("True Admitted The workload is admitted");
            assertThat(stage.events(workload))
                    .containsExactly(
                            "QuotaReserved: Quota reserved in ClusterQueue cluster-queue, wait time"
                                    + " since queued was 0s",
                            "Admitted: Admitted by ClusterQueue cluster-queue, wait time since"
                                    + " reservation was 0s");
            stage.finish("js");
            assertThat(stage.events(stage.rig.at(Kinds.JOB_SET, "js")))
                    .containsExactly(
                            "CreatedWorkload: Created Workload: default/" + workload.name(),
                            "Started: Admitted by clusterQueue cluster-queue",
                            "FinishedWorkload: Workload 'default/%s' is declared finished"
                                    .formatted(workload.name()));
            assertThat(Stage.condition(stage.workload("js"), "Finished"))
                    .isEqualTo("True Succeeded jobset completed successfully");
        }
    }

    @Test
    @DisplayName("OV20: what admission puts into the pod template")
    void podsGetTheFlavorsLabelsAndTheQueuesNames() {
        for (var profile : new Profile[] {Profile.V0_14, Profile.V0_17}) {
            try (var stage = Stage.as(profile).seed().jobSet("js", 1)) {
                var template =
                        stage.rig
                                .at(Kinds.JOB_SET, "js")
                                .list("spec", "replicatedJobs")
                                .getFirst()
                                .path("template")
                                .path("spec")
                                .path("template");
                assertThat(template.path("spec").path("nodeSelector").path("pool").asString())
                        .isEqualTo("vlp-24");
                var labels = template.path("metadata").path("labels");
                assertThat(labels.path("kueue.x-k8s.io/podset").asString()).isEqualTo("slice");
                assertThat(labels.has("kueue.x-k8s.io/cluster-queue-name"))
                        .isEqualTo(profile != Profile.V0_14);
            }
        }
    }

    private static Stage busy() {
        var stage = Stage.standard().seed(LOWER).priorityClass("low-priority", 100, false);
        return stage.jobSet("3slice", 3).pods("3slice", 3, 3).seconds(1);
    }

    @Test
    @DisplayName("A5 a, A7, OD4, OV9, OT8: preemption in two steps")
    void theVictimKeepsItsQuotaUntilItsPodsAreGone() {
        try (var stage = busy().jobSet("low", 1, "priorityClassName: 'low-priority',")) {
            var victim = stage.workload("3slice");
            var low = stage.workload("low");
            var message =
                    ("Preempted to accommodate a workload (UID: %s, JobUID: %s) due to"
                                    + " prioritization in the ClusterQueue; preemptor path:"
                                    + " /cluster-queue; preemptee path: /cluster-queue")
                            .formatted(low.uid(), stage.rig.at(Kinds.JOB_SET, "low").uid());
            assertThat(Stage.condition(victim, "Evicted")).isEqualTo("True Preempted " + message);
            assertThat(Stage.condition(victim, "Preempted"))
                    .isEqualTo("True InClusterQueue " + message);
            assertThat(stage.runs("3slice")).isFalse();
            assertThat(victim.is("QuotaReserved")).isTrue();
            assertThat(stage.why("low"))
                    .endsWith("8 more needed. Pending the preemption of 1 workload(s)");
            assertThat(stage.events(victim))
                    .contains(
                            "EvictedDueToPreempted: " + message,
                            "Preempted: "
                                    + message
                                    + "; preemptor effective priority: 100 (base: 100, boost: 0);"
                                    + " preemptee effective priority: 0 (base: 0, boost: 0)");
            assertThat(stage.events(low))
                    .contains(
                            ("PreemptedWorkload: Preempted workload default/%s (UID: %s) in"
                                            + " ClusterQueue cluster-queue; preemptor effective"
                                            + " priority: 100 (base: 100, boost: 0); preemptee"
                                            + " effective priority: 0 (base: 0, boost: 0)")
                                    .formatted(victim.name(), victim.uid()));
            // the pods are gone: the preemptor goes first, then the victim waits
            stage.pods("3slice", 0, 0).after(Duration.ofMillis(50));
            assertThat(stage.runs("low")).isTrue();
            victim = stage.workload("3slice");
            assertThat(Stage.condition(victim, "Admitted"))
                    .isEqualTo("False NoReservation The workload has no reservation");
            assertThat(Stage.condition(victim, "Requeued")).isEqualTo("True Preempted " + message);
            assertThat(Stage.condition(victim, "QuotaReserved"))
                    .isEqualTo(
                            "False Pending couldn't assign flavors to pod set slice: insufficient"
                                    + " unused quota for google.com/tpu in flavor vlp-24, 8 more"
                                    + " needed");
            var eviction = victim.list("status", "schedulingStats", "evictions").getFirst();
            assertThat(eviction.path("reason").asString()).isEqualTo("Preempted");
            assertThat(eviction.path("count").asInt()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("OT10: re-admission")
    void aWorkloadThatComesBackRemembersWhatHappened() {
        try (var stage = busy().jobSet("low", 1, "priorityClassName: 'low-priority',")) {
            stage.pods("3slice", 0, 0).seconds(1).finish("low").seconds(1);
            var back = stage.workload("3slice");
            assertThat(stage.runs("3slice")).isTrue();
            assertThat(Stage.condition(back, "Evicted"))
                    .startsWith("False QuotaReserved Previously: Preempted to accommodate");
            assertThat(Stage.condition(back, "Preempted"))
                    .startsWith("False QuotaReserved Previously: Preempted to accommodate");
            assertThat(Stage.condition(back, "Requeued")).startsWith("True Preempted");
            assertThat(back.at("status", "accumulatedPastExecutionTimeSeconds").asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("OD5: the preemptor is looked at again and again while its victims go")
    void aPreemptorIsTriedManyTimes() {
        try (var stage = busy().jobSet("low", 1, "priorityClassName: 'low-priority',")) {
            stage.after(Duration.ofMillis(600));
            var pending =
                    stage.rig.cluster().list(Kinds.EVENT, "").stream()
                            .filter(
                                    e ->
                                            e.text("involvedObject", "uid")
                                                    .equals(stage.workload("low").uid()))
                            .filter(e -> e.text("reason").equals("Pending"))
                            .toList();
            assertThat(pending).hasSize(1);
            assertThat(pending.getFirst().at("count").asInt()).isBetween(20, 30);
        }
    }

    @Test
    @DisplayName("A5 c, ON6: a global default class")
    void theGlobalDefaultClassMakesTheLowOneWait() {
        try (var stage = Stage.standard().seed(LOWER)) {
            stage.priorityClass("medium", 500, true).priorityClass("low-priority", 100, false);
            stage.jobSet("3slice", 3).seconds(1);
            stage.jobSet("low", 1, "priorityClassName: 'low-priority',");
            assertThat(stage.workload("3slice").text("spec", "priorityClassRef", "name"))
                    .isEqualTo("medium");
            assertThat(stage.workload("3slice").is("Evicted")).isFalse();
            assertThat(stage.runs("low")).isFalse();
        }
    }

    @Test
    @DisplayName("A8, KQ003, OT3, OV12: no namespace selector")
    void aQueueWithoutASelectorTakesNobody() {
        for (var profile : Profile.values()) {
            try (var stage = Stage.as(profile).seed()) {
                stage.edit(
                        Kinds.CLUSTER_QUEUE,
                        "cluster-queue",
                        json -> json.withObjectProperty("spec").remove("namespaceSelector"));
                stage.jobSet("js", 1);
                var word = profile == Profile.V0_19 ? "workload" : "Workload";
                assertThat(Stage.condition(stage.workload("js"), "QuotaReserved"))
                        .isEqualTo(
                                "False Pending %s namespace doesn't match ClusterQueue selector"
                                        .formatted(word));
                stage.edit(
                        Kinds.CLUSTER_QUEUE,
                        "cluster-queue",
                        json -> json.withObjectProperty("spec").putObject("namespaceSelector"));
                stage.seconds(1);
                assertThat(stage.runs("js")).isTrue();
            }
        }
    }

    @Test
    @DisplayName("OT13: queues that are missing")
    void aMissingQueueIsTold() {
        try (var stage = Stage.standard().jobSet("js", 1)) {
            assertThat(Stage.condition(stage.workload("js"), "QuotaReserved"))
                    .isEqualTo("False Inadmissible LocalQueue multislice-queue doesn't exist");
            stage.local("multislice-queue", "tpu-training-cq").rig.settle();
            assertThat(stage.why("js")).isEqualTo("ClusterQueue tpu-training-cq doesn't exist");
            assertThat(
                            Stage.condition(
                                    stage.rig.at(Kinds.LOCAL_QUEUE, "multislice-queue"), "Active"))
                    .isEqualTo(
                            "False ClusterQueueDoesNotExist Can't submit new workloads to"
                                    + " clusterQueue");
        }
    }

    @Test
    @DisplayName("OD11: reclaimable pods")
    void podsThatAreDoneGiveBackTheirQuota() {
        try (var stage = Stage.standard().seed().jobSet("3", 3).seconds(1).jobSet("1", 1)) {
            stage.pods("3", 2, 2, 1);
            var reclaimable = stage.workload("3").list("status", "reclaimablePods").getFirst();
            assertThat(reclaimable.path("name").asString()).isEqualTo("slice");
            assertThat(reclaimable.path("count").asInt()).isEqualTo(2);
            stage.seconds(1);
            assertThat(stage.runs("1")).isTrue();
        }
    }

    @Test
    void aDeletedJobFreesItsQuota() {
        try (var stage = Stage.standard().seed().jobSet("3", 3).seconds(1).jobSet("1", 1)) {
            stage.rig
                    .cluster()
                    .delete(
                            stage.rig.at(Kinds.JOB_SET, "3").key(),
                            org.meshbook.cluster.Cluster.Propagation.BACKGROUND);
            stage.seconds(1);
            assertThat(stage.runs("1")).isTrue();
            assertThat(stage.rig.cluster().list(Kinds.WORKLOAD, "")).hasSize(1);
        }
    }
}
