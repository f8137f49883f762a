package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.outlook.Cause;
import org.meshbook.cluster.outlook.Code;
import org.meshbook.cluster.outlook.Estimate;
import org.meshbook.cluster.outlook.QuotaUse;
import org.meshbook.cluster.outlook.Standing;
import org.meshbook.cluster.outlook.Why;
import org.meshbook.cluster.queue.Rules;

/// What a person is told of a queue: places, holders, causes, times.
final class OutlookTest {
    private static final String LOWER = "preemption: {withinClusterQueue: 'LowerPriority'}";

    private static Snapshot snapshot(Stage stage) {
        return Snapshot.of(stage.rig.cluster(), Rules.of(Profile.V0_17), stage.rig.now());
    }

    private static List<Cause> why(Stage stage, String job) {
        return Why.of(stage.rig.cluster(), snapshot(stage), stage.rig.at(Kinds.JOB, job));
    }

    private static Code code(Stage stage, String job) {
        return why(stage, job).getFirst().code();
    }

    private static String text(List<Cause> causes) {
        return causes.stream().map(Cause::text).collect(Collectors.joining("\n"));
    }

    private static Standing standing(Stage stage, String job) {
        return Standing.all(snapshot(stage)).stream()
                .filter(s -> s.job().equals(job))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("scenario 2: place, holders and amounts")
    void whoWaitsLearnsItsPlaceAndWhoHoldsWhat() {
        try (var stage = Stage.standard().seed()) {
            stage.job("first", 24).seconds(1).job("second", 8).seconds(1).job("third", 8);
            assertThat(text(why(stage, "third")))
                    .contains(
                            "third waits in queue 'multislice-queue': couldn't assign flavors to pod"
                                    + " set main: insufficient unused quota for google.com/tpu in"
                                    + " flavor vlp-24, 8 more needed")
                    .contains("1 before it in cluster queue 'cluster-queue': second (priority 0)")
                    .contains("held by first (24 google.com/tpu of vlp-24, priority 0, for 2s)")
                    .contains("or: %delete job first");
            assertThat(standing(stage, "third").position()).hasValue(1);
            assertThat(standing(stage, "first").position()).isEmpty();
        }
    }

    @Test
    @DisplayName("scenario 4: queues of one name in two namespaces")
    void placesAreCountedByNamespaceAndName() {
        try (var stage = Stage.standard().seed().job("holder", 24)) {
            for (var space : List.of("a", "b")) {
                stage.rig.create(
                        "{apiVersion: v1, kind: Namespace, metadata: {name: '%s'}}"
                                .formatted(space));
                stage.rig.create(
                        """
                        {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'LocalQueue',
                         metadata: {name: 'q', namespace: '%s'},
                         spec: {clusterQueue: 'cluster-queue'}}
                        """
                                .formatted(space));
                stage.rig.create(
                        """
                        {apiVersion: 'batch/v1', kind: 'Job',
                         metadata: {name: 'job-%1$s', namespace: '%1$s',
                           labels: {'kueue.x-k8s.io/queue-name': 'q'}},
                         spec: {template: {spec: {restartPolicy: 'Never',
                             containers: [{name: 'c', image: 'i',
                               resources: {limits: {'google.com/tpu': '4'}}}]}}}}
                        """
                                .formatted(space));
                stage.seconds(1);
            }
            assertThat(standing(stage, "job-a").position()).hasValue(0);
            assertThat(standing(stage, "job-b").position()).hasValue(0);
            assertThat(standing(stage, "job-b").ahead()).hasValue(1);
        }
    }

    @Test
    @DisplayName("scenario 11: each cause of its own")
    void eachCauseHasACodeOfItsOwn() {
        try (var stage = Stage.standard().seed()) {
            stage.job("runs", 20);
            assertThat(code(stage, "runs")).isEqualTo(Code.RUNNING);
            stage.job("waits", 8);
            assertThat(code(stage, "waits")).isEqualTo(Code.QUOTA_IN_USE);
            stage.job("huge", 32);
            assertThat(code(stage, "huge")).isEqualTo(Code.TOO_LARGE);
            stage.job("classless", 1, ",'kueue.x-k8s.io/priority-class': 'no-such'");
            assertThat(code(stage, "classless")).isEqualTo(Code.PRIORITY_CLASS_MISSING);
            stage.finish(Kinds.JOB, "runs", "Complete", "done");
            assertThat(code(stage, "runs")).isEqualTo(Code.FINISHED);
            stage.seconds(1)
                    .edit(
                            Kinds.WORKLOAD,
                            stage.workload(Kinds.JOB, "huge").name(),
                            json -> json.withObjectProperty("spec").put("active", false));
            assertThat(code(stage, "huge")).isEqualTo(Code.DEACTIVATED);
            stop(stage, Kinds.LOCAL_QUEUE, "multislice-queue", "Hold");
            stage.job("behind", 1);
            assertThat(code(stage, "behind")).isEqualTo(Code.LOCAL_QUEUE_STOPPED);
            stop(stage, Kinds.LOCAL_QUEUE, "multislice-queue", "None");
            stop(stage, Kinds.CLUSTER_QUEUE, "/cluster-queue", "Hold");
            stage.job("held", 1);
            assertThat(code(stage, "held")).isEqualTo(Code.CLUSTER_QUEUE_INACTIVE);
            assertThat(text(why(stage, "held"))).contains("Can't admit new workloads: is stopped.");
        }
    }

    @Test
    @DisplayName("scenario 11: queues that are not there")
    void missingQueuesAndLabelsHaveCodesOfTheirOwn() {
        try (var stage = Stage.standard()) {
            stage.job("early", 1);
            assertThat(code(stage, "early")).isEqualTo(Code.LOCAL_QUEUE_MISSING);
            stage.local("multislice-queue", "cluster-queue");
            stage.rig.settle();
            assertThat(code(stage, "early")).isEqualTo(Code.CLUSTER_QUEUE_MISSING);
            stage.rig.create(
                    """
                    {apiVersion: 'batch/v1', kind: 'Job', metadata: {name: 'free'},
                     spec: {template: {spec: {restartPolicy: 'Never',
                         containers: [{name: 'c', image: 'i'}]}}}}
                    """);
            stage.rig.settle();
            assertThat(code(stage, "free")).isEqualTo(Code.NOT_QUEUED);
        }
    }

    private static void stop(Stage stage, ResourceKind kind, String name, String policy) {
        stage.edit(kind, name, json -> json.withObjectProperty("spec").put("stopPolicy", policy));
    }

    @Test
    @DisplayName("scenario 19: three evictions by the same one")
    void aCycleOfPreemptionIsTold() {
        try (var stage = preempted()) {
            assertThat(text(why(stage, "low"))).doesNotContain("cycle");
            for (int i = 0; i < 2; i++) {
                activate(stage, false);
                stage.seconds(2);
                assertThat(stage.workload(Kinds.JOB, "low").is("Admitted")).isTrue();
                activate(stage, true);
                stage.seconds(2);
            }
            assertThat(why(stage, "low")).extracting(Cause::code).contains(Code.PREEMPTION_CYCLE);
            assertThat(text(why(stage, "low"))).contains("low was preempted 3 times by high");
        }
    }

    private static void activate(Stage stage, boolean on) {
        stage.edit(
                Kinds.WORKLOAD,
                stage.workload(Kinds.JOB, "high").name(),
                json -> json.withObjectProperty("spec").put("active", on));
    }

    private static Stage preempted() {
        var stage = Stage.standard().seed(LOWER).workloadClass("more", 100);
        stage.job("low", 24).seconds(1);
        return stage.job("high", 24, ",'kueue.x-k8s.io/priority-class': 'more'").seconds(1);
    }

    @Test
    @DisplayName("scenario 20: pods that are ending hold the quota")
    void whoWaitsForPodsToEndIsToldWhichAndHowToEndThem() {
        try (var stage = Stage.standard().seed(LOWER).workloadClass("more", 100)) {
            stage.job("low", 24);
            stage.rig.create(
                    """
                    {apiVersion: v1, kind: Pod, metadata: {name: 'low-x', labels:
                       {'batch.kubernetes.io/job-name': 'low'}},
                     spec: {nodeName: 'n', containers: [{name: 'c', image: 'i'}]}}
                    """);
            stage.status(
                    Kinds.JOB, "low", json -> json.withObjectProperty("status").put("active", 1));
            stage.seconds(1).job("high", 24, ",'kueue.x-k8s.io/priority-class': 'more'");
            stage.rig.cluster().delete(Kinds.POD.key("default", "low-x"), Propagation.BACKGROUND);
            stage.rig.settle();
            assertThat(code(stage, "high")).isEqualTo(Code.PREEMPTING);
            assertThat(text(why(stage, "high")))
                    .contains("waiting for 1 terminating pod: low-x")
                    .contains("%delete pod low-x --now");
            assertThat(text(why(stage, "low"))).contains("low loses its quota: Preempted to");
        }
    }

    @Test
    @DisplayName("scenario 76: an estimate that says what it is based on")
    void aTurnIsEstimatedFromRunTimesOfThatQueue() {
        try (var stage = Stage.standard().seed()) {
            stage.job("past", 24).seconds(60).finish(Kinds.JOB, "past", "Complete", "done");
            stage.seconds(2).job("runs", 24).seconds(20).job("next", 24).seconds(1);
            stage.job("last", 24);
            assertThat(estimate(stage, "next").text())
                    .isEqualTo(
                            "in about 40s, by the middle run time of 1 finished job of this queue,"
                                    + " 60s");
            assertThat(estimate(stage, "last").time())
                    .hasValueSatisfying(
                            time ->
                                    assertThat(time)
                                            .isBetween(
                                                    Duration.ofSeconds(100),
                                                    Duration.ofSeconds(103)));
        }
    }

    private static Estimate estimate(Stage stage, String job) {
        var key = stage.workload(Kinds.JOB, job).key().path();
        return Objects.requireNonNull(Estimate.all(snapshot(stage)).get(key));
    }

    @Test
    void withoutAFinishedJobNobodyCanTellWhen() {
        try (var stage = Stage.standard().seed().job("runs", 24).job("next", 8)) {
            assertThat(Estimate.all(snapshot(stage)).values())
                    .singleElement()
                    .satisfies(
                            e ->
                                    assertThat(e.text())
                                            .isEqualTo(
                                                    "nobody can tell when: no job of this queue has"
                                                            + " finished yet"));
        }
    }

    @Test
    void quotaIsTakenApartIntoOwnBorrowedAndFree() {
        try (var stage = Stage.standard().flavor("vlp-24")) {
            stage.queue("cluster-queue", "cohortName: 'all'", Stage.quota("vlp-24", 8));
            stage.queue("other", "cohortName: 'all'", Stage.quota("vlp-24", 16));
            stage.local("multislice-queue", "cluster-queue").job("runs", 12);
            var use = QuotaUse.all(snapshot(stage)).getFirst();
            assertThat(use.queue()).isEqualTo("cluster-queue");
            assertThat(List.of(use.nominal(), use.used(), use.borrowed(), use.free()))
                    .containsExactly(8L, 12L, 4L, 12L);
        }
    }
}
