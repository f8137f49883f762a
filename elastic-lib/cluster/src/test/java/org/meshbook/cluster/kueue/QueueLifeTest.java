package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.control.Owners;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.node.ObjectNode;

/// Queues that are stopped, changed and deleted; workloads that come and go; what is refused.
final class QueueLifeTest {
    private static void stop(Stage stage, String policy) {
        stage.edit(
                Kinds.CLUSTER_QUEUE,
                "cluster-queue",
                json -> json.withObjectProperty("spec").put("stopPolicy", policy));
    }

    @Test
    @DisplayName("A16: Hold")
    void aHeldQueueAdmitsNobodyNew() {
        try (var stage = Stage.standard().seed().jobSet("a", 1)) {
            stop(stage, "Hold");
            stage.jobSet("b", 1);
            assertThat(stage.runs("a")).isTrue();
            assertThat(Stage.condition(stage.workload("b"), "QuotaReserved"))
                    .isEqualTo("False Inadmissible ClusterQueue cluster-queue is inactive");
            assertThat(
                            Stage.condition(
                                    stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue"), "Active"))
                    .isEqualTo("False Stopped Can't admit new workloads: is stopped.");
            assertThat(
                            Stage.condition(
                                    stage.rig.at(Kinds.LOCAL_QUEUE, "multislice-queue"), "Active"))
                    .isEqualTo(
                            "False ClusterQueueIsInactive Can't submit new workloads to"
                                    + " clusterQueue");
            stop(stage, "None");
            stage.seconds(1);
            assertThat(stage.runs("b")).isTrue();
        }
    }

    @Test
    @DisplayName("A16: HoldAndDrain and back")
    void aDrainedQueueEvictsAndTakesBack() {
        try (var stage = Stage.standard().seed().jobSet("a", 1)) {
            stop(stage, "HoldAndDrain");
            assertThat(stage.runs("a")).isFalse();
            var workload = stage.workload("a");
            assertThat(Stage.condition(workload, "Evicted"))
                    .isEqualTo("True ClusterQueueStopped The ClusterQueue is stopped");
            assertThat(Stage.condition(workload, "Requeued"))
                    .isEqualTo("False ClusterQueueStopped The ClusterQueue is stopped");
            stop(stage, "None");
            stage.seconds(1);
            assertThat(stage.runs("a")).isTrue();
        }
    }

    @Test
    void aStoppedLocalQueueEvictsToo() {
        try (var stage = Stage.standard().seed().jobSet("a", 1)) {
            stage.edit(
                    Kinds.LOCAL_QUEUE,
                    "multislice-queue",
                    json -> json.withObjectProperty("spec").put("stopPolicy", "HoldAndDrain"));
            assertThat(Stage.condition(stage.workload("a"), "Evicted"))
                    .isEqualTo("True LocalQueueStopped The LocalQueue is stopped");
            stage.edit(
                    Kinds.LOCAL_QUEUE,
                    "multislice-queue",
                    json -> json.withObjectProperty("spec").remove("stopPolicy"));
            stage.seconds(1);
            assertThat(stage.runs("a")).isTrue();
        }
    }

    @Test
    void aNumberThatIsKeptNarrowerIsNoChangeOfTheJob() {
        try (var stage =
                Stage.standard().seed().jobSet("a", 1, "terminationGracePeriodSeconds: 5,")) {
            var uid = stage.workload("a").uid();
            stage.edit(
                    Kinds.JOB_SET,
                    "a",
                    json -> {
                        json.withObjectProperty("metadata").putObject("annotations").put("a", "b");
                        ((ObjectNode) json.at("/spec/replicatedJobs/0/template/spec/template/spec"))
                                .put("terminationGracePeriodSeconds", 5);
                    });
            assertThat(stage.workload("a").uid()).isEqualTo(uid);
            assertThat(stage.runs("a")).isTrue();
        }
    }

    @Test
    @DisplayName("scenario 25: a workload that is reactivated starts anew")
    void aDeactivatedWorkloadComesBackWhenItIsActivated() {
        try (var stage = Stage.standard().seed().jobSet("a", 1)) {
            var name = stage.workload("a").name();
            stage.edit(
                    Kinds.WORKLOAD,
                    name,
                    json -> json.withObjectProperty("spec").put("active", false));
            assertThat(stage.runs("a")).isFalse();
            assertThat(Stage.condition(stage.workload("a"), "Evicted"))
                    .isEqualTo("True Deactivated The workload is deactivated");
            stage.edit(
                    Kinds.WORKLOAD,
                    name,
                    json -> json.withObjectProperty("spec").put("active", true));
            stage.seconds(1);
            assertThat(stage.runs("a")).isTrue();
        }
    }

    @Test
    @DisplayName("scenarios 5 and 14: counters, and the third starts")
    void countersAreThoseOfTheSets() {
        try (var stage = Stage.standard().seed()) {
            for (var name : new String[] {"a", "b", "c", "d"}) {
                stage.jobSet(name, 1).seconds(1);
            }
            var queue = stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue");
            assertThat(queue.at("status", "pendingWorkloads").asInt()).isEqualTo(1);
            assertThat(queue.at("status", "admittedWorkloads").asInt()).isEqualTo(3);
            var usage = queue.list("status", "flavorsUsage").getFirst();
            assertThat(usage.path("resources").get(0).path("total").asString()).isEqualTo("24");
            stage.finish("a").seconds(1);
            queue = stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue");
            assertThat(queue.at("status", "pendingWorkloads").asInt()).isZero();
            assertThat(stage.runs("d")).isTrue();
            var local = stage.rig.at(Kinds.LOCAL_QUEUE, "multislice-queue");
            assertThat(local.at("status", "admittedWorkloads").asInt()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("OV7, finalizer: a deleted queue waits for its workloads")
    void aQueueInUseIsDeletedWhenItIsFree() {
        for (var profile : Profile.values()) {
            try (var stage = Stage.as(profile).seed().jobSet("a", 3)) {
                var key = Kinds.CLUSTER_QUEUE.key("", "cluster-queue");
                stage.rig.cluster().delete(key, Propagation.BACKGROUND);
                stage.rig.settle();
                var queue = stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue");
                assertThat(Writer.reason(queue, "Active"))
                        .isEqualTo(profile == Profile.V0_19 ? "Terminating" : "Ready");
                stage.finish("a");
                assertThat(stage.rig.cluster().find(key)).isEmpty();
            }
        }
    }

    @Test
    void aFlavorInUseIsDeletedWhenItIsFree() {
        try (var stage = Stage.standard().seed()) {
            var key = Kinds.RESOURCE_FLAVOR.key("", "vlp-24");
            stage.rig.cluster().delete(key, Propagation.BACKGROUND);
            stage.rig.settle();
            assertThat(stage.rig.cluster().find(key)).isPresent();
            stage.rig
                    .cluster()
                    .delete(Kinds.CLUSTER_QUEUE.key("", "cluster-queue"), Propagation.BACKGROUND);
            stage.rig.settle();
            assertThat(stage.rig.cluster().find(key)).isEmpty();
        }
    }

    @Test
    void aQueueWithoutItsFlavorIsInactive() {
        try (var stage = Stage.standard()) {
            stage.queue("q", "", Stage.quota("gone", 1)).rig.settle();
            assertThat(Stage.condition(stage.rig.at(Kinds.CLUSTER_QUEUE, "q"), "Active"))
                    .isEqualTo(
                            "False FlavorNotFound Can't admit new workloads: references missing"
                                    + " ResourceFlavor(s): gone.");
        }
    }

    @Test
    @DisplayName("KQ006: a job label that names no WorkloadPriorityClass")
    void aMissingPriorityClassLeavesTheJobSuspendedWithoutAWord() {
        try (var stage = Stage.standard().seed()) {
            stage.job("j", 4, ", 'kueue.x-k8s.io/priority-class': 'low-priority'");
            assertThat(stage.rig.cluster().list(Kinds.WORKLOAD, "")).isEmpty();
            assertThat(stage.events(stage.rig.at(Kinds.JOB, "j"))).isEmpty();
            stage.workloadClass("low-priority", 7).after(Duration.ofMinutes(1));
            assertThat(stage.workload(Kinds.JOB, "j").at("spec", "priority").asInt()).isEqualTo(7);
        }
    }

    @Test
    @DisplayName("A28, KQ005: the queue's name as an annotation")
    void theAnnotationCountsInTheOldProfileOnly() {
        for (var profile : Profile.values()) {
            try (var stage = Stage.as(profile).seed()) {
                stage.rig.create(
                        """
                        {apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet',
                         metadata: {name: 'js',
                           annotations: {'kueue.x-k8s.io/queue-name': 'multislice-queue'}},
                         spec: {replicatedJobs: [{name: 'slice', template: {spec: {template: {spec: {containers: [{name: 'c', image: 'i'}]}}}}}]}}
                        """);
                stage.rig.settle();
                assertThat(stage.rig.cluster().list(Kinds.WORKLOAD, ""))
                        .hasSize(profile == Profile.V0_14 ? 1 : 0);
            }
        }
    }

    @Test
    @DisplayName("scenario 79: the queue called default")
    void aQueueCalledDefaultTakesJobsWithoutAQueue() {
        try (var stage = Stage.standard().seed().local("default", "cluster-queue")) {
            stage.rig.create(
                    """
                    {apiVersion: 'batch/v1', kind: 'Job', metadata: {name: 'j'},
                     spec: {template: {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}}}}
                    """);
            stage.rig.settle();
            assertThat(stage.workload(Kinds.JOB, "j").text("spec", "queueName"))
                    .isEqualTo("default");
        }
    }

    @Test
    void childrenOfAQueuedJobAreNotQueued() {
        try (var stage = Stage.standard().seed().jobSet("js", 1)) {
            var owner = stage.rig.at(Kinds.JOB_SET, "js");
            var child =
                    stage.rig
                            .cluster()
                            .create(
                                    Rig.parse(
                                                    """
                                                    {apiVersion: 'batch/v1', kind: 'Job',
                                                     metadata: {name: 'c', labels:
                                                       {'kueue.x-k8s.io/queue-name': 'x'}},
                                                     spec: {suspend: false, template: {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}}}}
                                                    """)
                                            .with(json -> Owners.put(json, owner)),
                                    WriteOptions.PLAIN);
            stage.rig.settle();
            assertThat(child.at("spec", "suspend").asBoolean(true)).isFalse();
            assertThat(stage.rig.cluster().list(Kinds.WORKLOAD, "")).hasSize(1);
        }
    }

    @Test
    @DisplayName("OV8: PodsReady in 0.19")
    void podsReadyFollowsThePods() {
        try (var stage = Stage.as(Profile.V0_19).seed().jobSet("a", 1)) {
            assertThat(Stage.condition(stage.workload("a"), "PodsReady"))
                    .isEqualTo("False WaitForStart Not all pods are ready or succeeded");
            stage.pods("a", 1, 1);
            assertThat(Stage.condition(stage.workload("a"), "PodsReady"))
                    .isEqualTo(
                            "True Started All pods reached readiness and the workload is running");
            stage.pods("a", 1, 0);
            assertThat(Stage.condition(stage.workload("a"), "PodsReady"))
                    .isEqualTo(
                            "False WaitForRecovery At least one pod has failed, waiting for"
                                    + " recovery");
            stage.after(Duration.ofMinutes(30)).pods("a", 0, 0);
            assertThat(Writer.reason(stage.workload("a"), "Evicted")).isEqualTo("PodsReadyTimeout");
        }
    }

    @Test
    void aWorkloadThatRunsTooLongIsDeactivated() {
        try (var stage = Stage.standard().seed()) {
            stage.job("j", 4, ", 'kueue.x-k8s.io/max-exec-time-seconds': '10'").seconds(9);
            assertThat(stage.workload(Kinds.JOB, "j").is("Admitted")).isTrue();
            stage.seconds(1);
            assertThat(Writer.reason(stage.workload(Kinds.JOB, "j"), "Evicted"))
                    .isEqualTo("DeactivatedDueToMaximumExecutionTimeExceeded");
        }
    }

    @Test
    @DisplayName("partial admission of a Job")
    void aJobThatMayBeSmallerIsStartedWithFewerPods() {
        try (var stage = Stage.standard().seed()) {
            stage.rig.create(
                    """
                    {apiVersion: 'batch/v1', kind: 'Job',
                     metadata: {name: 'j', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'},
                       annotations: {'kueue.x-k8s.io/job-min-parallelism': '2'}},
                     spec: {parallelism: 8, completions: 8, template: {spec: {
                         restartPolicy: 'Never', containers: [{name: 'c', image: 'i', resources: {limits: {'google.com/tpu': '4'}}}]}}}}
                    """);
            stage.rig.settle();
            var job = stage.rig.at(Kinds.JOB, "j");
            assertThat(job.at("spec", "parallelism").asInt()).isEqualTo(6);
            assertThat(job.at("spec", "suspend").asBoolean(true)).isFalse();
        }
    }

    @Test
    @DisplayName("A19: an elastic job grows and shrinks")
    void anElasticJobIsAdmittedSliceBySlice() {
        try (var stage = new Stage(Rules.of(Profile.V0_17).withElasticSlices(true)).seed()) {
            stage.rig.create(
                    """
                    {apiVersion: 'batch/v1', kind: 'Job',
                     metadata: {name: 'j', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'},
                       annotations: {'kueue.x-k8s.io/elastic-job': 'true'}},
                     spec: {parallelism: 2, completions: 100, template: {spec: {
                         restartPolicy: 'Never', containers: [{name: 'c', image: 'i', resources: {limits: {'google.com/tpu': '4'}}}]}}}}
                    """);
            stage.rig.settle();
            var first = stage.workload(Kinds.JOB, "j");
            assertThat(first.is("Admitted")).isTrue();
            stage.seconds(1);
            scale(stage, 4);
            var second = stage.workload(Kinds.JOB, "j");
            assertThat(second.name()).isNotEqualTo(first.name());
            assertThat(second.annotations())
                    .containsEntry(
                            "kueue.x-k8s.io/workload-slice-replacement-for",
                            "default/" + first.name());
            assertThat(second.is("Admitted")).isTrue();
            assertThat(Writer.reason(stage.rig.at(Kinds.WORKLOAD, first.name()), "Finished"))
                    .isEqualTo("WorkloadSliceReplaced");
            var queue = stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue");
            assertThat(
                            queue.list("status", "flavorsUsage")
                                    .getFirst()
                                    .path("resources")
                                    .get(0)
                                    .path("total")
                                    .asString())
                    .isEqualTo("16");
            scale(stage, 1);
            assertThat(stage.workload(Kinds.JOB, "j").name()).isEqualTo(second.name());
            queue = stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue");
            assertThat(
                            queue.list("status", "flavorsUsage")
                                    .getFirst()
                                    .path("resources")
                                    .get(0)
                                    .path("total")
                                    .asString())
                    .isEqualTo("4");
            assertThat(stage.rig.at(Kinds.JOB, "j").at("spec", "suspend").asBoolean(true))
                    .isFalse();
        }
    }

    private static void scale(Stage stage, int parallelism) {
        stage.edit(
                Kinds.JOB,
                "j",
                json -> json.withObjectProperty("spec").put("parallelism", parallelism));
    }

    // ---- refusals

    private static void refuses(Stage stage, String text, String message) {
        assertThatThrownBy(() -> stage.rig.create(text))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(message);
    }

    private static String clusterQueue(String more, String groups) {
        return "{apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ClusterQueue', metadata: {name: 'x'},"
                + " spec: {%s resourceGroups: [%s]}}".formatted(more, groups);
    }

    @Test
    void queuesThatContradictThemselvesAreRefused() {
        try (var stage = Stage.standard()) {
            refuses(
                    stage,
                    clusterQueue(
                            "",
                            "{coveredResources: ['cpu'], flavors: [{name: 'a', resources: [{name:"
                                    + " 'cpu', nominalQuota: 1}]}, {name: 'a', resources: [{name:"
                                    + " 'cpu', nominalQuota: 1}]}]}"),
                    "spec.resourceGroups[0].flavors[1]: Duplicate value: {\"name\":\"a\"}");
            refuses(
                    stage,
                    clusterQueue(
                            "",
                            "{coveredResources: ['cpu', 'memory'], flavors: [{name: 'a', resources:"
                                    + " [{name: 'memory', nominalQuota: 1}, {name: 'cpu',"
                                    + " nominalQuota: 1}]}]}"),
                    "spec.resourceGroups[0].flavors[0].resources[0].name: Invalid value:"
                            + " \"memory\": must match the name in coveredResources");
            refuses(
                    stage,
                    clusterQueue(
                            "",
                            "{coveredResources: ['cpu'], flavors: [{name: 'a', resources: [{name:"
                                    + " 'cpu', nominalQuota: 1, borrowingLimit: '1'}]}]}"),
                    "borrowingLimit must be nil when cohort is empty");
            refuses(
                    stage,
                    clusterQueue(
                            "",
                            "{coveredResources: ['cpu'], flavors: [{name: 'a', resources: [{name:"
                                    + " 'cpu', nominalQuota: '-1'}]}]}"),
                    "nominalQuota: Invalid value: \"-1\": must be greater than or equal to 0");
        }
    }

    @Test
    @DisplayName("OT5, YM006: a placeholder as a label's value")
    void aFlavorWithAPlaceholderIsRefused() {
        try (var stage = Stage.standard()) {
            refuses(
                    stage,
                    """
                    {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ResourceFlavor',
                     metadata: {name: 'x'}, spec: {nodeLabels: {pool: '${ONDEMAND_NODEPOOL}'}}}
                    """,
                    "admission webhook \"vresourceflavor.kb.io\" denied the request:"
                            + " spec.nodeLabels: Invalid value: \"${ONDEMAND_NODEPOOL}\": a valid"
                            + " label must be an empty string or consist of alphanumeric"
                            + " characters, ");
        }
    }

    @Test
    @DisplayName("OT6, OV24, RJ001: in-tree autoscaling")
    void aRayJobThatScalesItselfNeedsSlices() {
        var text =
                """
                {apiVersion: 'ray.io/v1', kind: 'RayJob',
                 metadata: {name: 'r', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'},
                   annotations: {'kueue.x-k8s.io/elastic-job': 'true'}},
                 spec: {shutdownAfterJobFinishes: true, rayClusterSpec: {
                   enableInTreeAutoscaling: true, headGroupSpec: {rayStartParams: {}, template: {spec: {containers: [{name: 'h', image: 'i'}]}}},
                   workerGroupSpecs: [{groupName: 'w', rayStartParams: {}, replicas: 1, minReplicas: 1, maxReplicas: 1, numOfHosts: 4, template:
                     {spec: {containers: [{name: 'c', image: 'i',
                       resources: {limits: {'google.com/tpu': '4'}}}]}}}]}}}
                """;
        try (var stage = Stage.standard()) {
            refuses(
                    stage,
                    text,
                    "admission webhook \"vrayjob.kb.io\" denied the request:"
                            + " spec.rayClusterSpec.enableInTreeAutoscaling: Invalid value: true: a"
                            + " kueue managed job should only use autoscaling when workload"
                            + " slicing is enabled");
        }
        try (var stage = Stage.as(Profile.V0_19)) {
            stage.rig.create(text);
            stage.rig.settle();
            var podSets = stage.workload(Kinds.RAY_JOB, "r").list("spec", "podSets");
            assertThat(podSets.get(1).path("count").asInt()).isEqualTo(4);
            assertThat(podSets).hasSize(3);
        }
    }

    @Test
    @DisplayName("OV6: labels of an admitted job")
    void anAdmittedJobKeepsItsQueue() {
        for (var profile : Profile.values()) {
            try (var stage = Stage.as(profile).seed()) {
                stage.workloadClass("low", 1).workloadClass("high", 9);
                stage.job("j", 4, ", 'kueue.x-k8s.io/priority-class': 'low'");
                var queue = "kueue.x-k8s.io/queue-name";
                assertThatThrownBy(() -> label(stage, queue, "other"))
                        .hasMessage(
                                "admission webhook \"vjob.kb.io\" denied the request:"
                                        + " metadata.labels[kueue.x-k8s.io/queue-name]: Invalid"
                                        + " value: \"other\": field is immutable");
                var priority = "kueue.x-k8s.io/priority-class";
                if (profile == Profile.V0_14) {
                    assertThatThrownBy(() -> label(stage, priority, "high"))
                            .hasMessageContaining("Invalid value: \"high\": field is immutable");
                } else {
                    label(stage, priority, "high");
                    assertThat(stage.workload(Kinds.JOB, "j").at("spec", "priority").asInt())
                            .isEqualTo(9);
                    assertThat(stage.events(stage.rig.at(Kinds.JOB, "j")))
                            .contains(
                                    "UpdatedWorkload: Updated workload priority class: default/"
                                            + stage.workload(Kinds.JOB, "j").name());
                }
            }
        }
    }

    private static void label(Stage stage, String label, String value) {
        stage.edit(
                Kinds.JOB,
                "j",
                json ->
                        json.withObjectProperty("metadata")
                                .withObjectProperty("labels")
                                .put(label, value));
    }
}
