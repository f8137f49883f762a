package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.nodes.process.VirtualRuntime.Script;
import tools.jackson.databind.node.ObjectNode;

class JobSetTest {
    private static final String V5E = "tpu-v5-lite-podslice";
    private final Machine machine = Machine.open();

    @AfterEach
    void close() {
        machine.close();
    }

    /// Slices of two hosts with four chips each.
    static String set(String name, int replicas, String spec) {
        return """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata:
          name: %s
          namespace: default
          annotations:
            alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
        spec:
          %s
          replicatedJobs:
          - name: slice
            replicas: %d
            template:
              spec:
                parallelism: 2
                completions: 2
                backoffLimit: 0
                template:
                  spec:
                    nodeSelector:
                      cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
                      cloud.google.com/gke-tpu-topology: 2x4
                    containers:
                    - name: jax-tpu
                      image: python:3.8
                      command: [bash, -c, sleep 60]
                      resources: {limits: {google.com/tpu: 4}}
        """
                .formatted(name, spec, replicas);
    }

    private static String plain(String name, String spec, String jobs) {
        return """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: %s, namespace: default}
        spec:
          %s
          replicatedJobs:
        %s
        """
                .formatted(name, spec, jobs);
    }

    private static String rj(String name, int replicas, String more) {
        return """
          - name: %s
            replicas: %d
            %s
            template:
              spec:
                parallelism: 1
                completions: 1
                backoffLimit: 0
                template:
                  spec:
                    restartPolicy: Never
                    containers: [{name: main, image: busybox, command: [sh]}]
        """
                .formatted(name, replicas, more);
    }

    @Test
    void slicesRunInPoolsOfTheirOwnAndTheSetCompletes() {
        machine.slices(3, V5E, "2x4")
                .script(".*", Duration.ofSeconds(60), 0)
                .apply(set("three", 3, "suspend: false"));
        machine.run(5);

        assertThat(machine.running("three-")).isEqualTo(6);
        assertThat(machine.poolsOf("three-slice-0-")).hasSize(1);
        assertThat(machine.poolsOf("three-slice-")).hasSize(3);
        assertThat(machine.pods("three-slice-2-1-")).hasSize(1);
        machine.run(70);

        var set = machine.set("three");
        assertThat(set.text("status", "terminalState")).isEqualTo("Completed");
        assertThat(machine.condition(set, "Completed"))
                .isEqualTo("True AllJobsCompleted jobset completed successfully");
    }

    @Test
    @DisplayName("OD12 followers are refused until their leader is bound, and come a second later")
    void followersComeAfterTheirLeader() {
        machine.slices(1, V5E, "2x4").apply(set("one", 1, "suspend: false"));

        assertThat(machine.pods("one-")).hasSize(1);
        assertThat(machine.events("one-slice-0"))
                .contains(
                        "FailedCreate: Error creating: admission webhook \"vpod.kb.io\" denied the"
                                + " request: follower pod node selector for topology domain not"
                                + " found. missing selector: cloud.google.com/gke-nodepool");
        machine.run(Duration.ofMillis(900));
        assertThat(machine.pods("one-")).hasSize(1);
        machine.run(Duration.ofMillis(200));
        assertThat(machine.running("one-")).isEqualTo(2);
    }

    @Test
    @DisplayName("A20 restarts are counted, and the set fails when they are used up")
    void restartsAreCountedToTheirLimit() {
        machine.slices(1, V5E, "2x4")
                .script("one-.*", Duration.ofSeconds(3), 1)
                .apply(set("one", 1, "failurePolicy: {maxRestarts: 2}"));
        machine.run(7);
        assertThat(machine.set("one").at("status", "restarts").asInt()).isEqualTo(1);
        assertThat(machine.events("one"))
                .contains(
                        "RestartJobSetFailurePolicyAction: applying RestartJobSet failure policy"
                                + " action (first failed job: one-slice-0)");
        machine.run(60);

        var set = machine.set("one");
        assertThat(set.at("status", "restarts").asInt()).isEqualTo(2);
        assertThat(set.text("status", "terminalState")).isEqualTo("Failed");
        assertThat(machine.condition(set, "Failed"))
                .isEqualTo(
                        "True ReachedMaxRestarts jobset failed due to reaching max number of"
                                + " restarts (first failed job: one-slice-0)");
    }

    @Test
    void withoutAFailurePolicyTheFirstFailureEndsTheSet() {
        machine.cpus(1)
                .script("x-a-0-.*", Duration.ofSeconds(3), 1)
                .apply(plain("x", "suspend: false", rj("a", 2, "")))
                .run(10);

        assertThat(machine.condition(machine.set("x"), "Failed"))
                .isEqualTo(
                        "True FailedJobs jobset failed due to one or more job failures (first"
                                + " failed job: x-a-0)");
        assertThat(machine.running("x-")).isZero();
    }

    @Test
    @DisplayName("A20 rules: FailJobSet for one replicated job, others restart")
    void rulesDecideByReasonAndReplicatedJob() {
        var rules =
                """
                failurePolicy:
                    maxRestarts: 3
                    rules:
                    - {action: FailJobSet, targetReplicatedJobs: [driver]}
                    - {action: RestartJobSetAndIgnoreMaxRestarts, onJobFailureReasons: [BackoffLimitExceeded]}\
                """;
        machine.cpus(1)
                .script("x-worker-.*", Duration.ofSeconds(2), 1)
                .apply(plain("x", rules, rj("driver", 1, "") + rj("worker", 1, "")))
                .run(30);

        var set = machine.set("x");
        assertThat(set.at("status", "restarts").asInt()).isGreaterThan(3);
        assertThat(set.at("status", "restartsCountTowardsMax").asInt(0)).isZero();

        machine.script("x-driver-.*", Duration.ofSeconds(1), 1).run(30);
        assertThat(machine.condition(machine.set("x"), "Failed"))
                .isEqualTo(
                        "True FailJobSetFailurePolicyAction applying FailJobSet failure policy"
                                + " action (first failed job: x-driver-0)");
    }

    @Test
    @DisplayName(
            "jobset#684 BlockingRecreate: no pod of the next attempt while one of the last lives")
    void blockingRecreateWaitsForAllPodsOfTheLastAttempt() {
        machine.slices(2, V5E, "2x4")
                .script("x-.*", new Script(Duration.ofHours(1), 0, Duration.ofSeconds(20)))
                .script("x-slice-0-0-.*", Duration.ofSeconds(5), 1)
                .apply(
                        set(
                                "x",
                                2,
                                "failurePolicy: {maxRestarts: 4, restartStrategy:"
                                        + " BlockingRecreate}"));
        boolean seen = false;
        for (int i = 0; i < 140; i++) {
            machine.run(Duration.ofMillis(500));
            var attempts =
                    machine.pods("x-").stream()
                            .map(p -> p.labels().get("jobset.sigs.k8s.io/restart-attempt"))
                            .distinct()
                            .toList();
            assertThat(attempts).hasSizeLessThanOrEqualTo(1);
            seen |= attempts.contains("1");
        }
        assertThat(seen).isTrue();
    }

    @Test
    void recreateBringsEachJobBackAsSoonAsItIsGone() {
        machine.cpus(1)
                .script("x-a-1-.*", new Script(Duration.ofHours(1), 0, Duration.ofSeconds(20)))
                .script("x-a-0-.*", Duration.ofSeconds(5), 1)
                .apply(plain("x", "failurePolicy: {maxRestarts: 9}", rj("a", 2, "")))
                .run(9);

        assertThat(machine.job("x-a-0").labels())
                .containsEntry("jobset.sigs.k8s.io/restart-attempt", "1");
        assertThat(machine.job("x-a-1").labels())
                .containsEntry("jobset.sigs.k8s.io/restart-attempt", "0");
    }

    @Test
    void replicatedJobsStartInOrder() {
        machine.cpus(1)
                .apply(
                        plain(
                                "x",
                                "startupPolicy: {startupPolicyOrder: InOrder}",
                                rj("first", 1, "") + rj("second", 1, "")));
        assertThat(machine.pods("x-second-")).isEmpty();
        assertThat(machine.condition(machine.set("x"), "StartupPolicyInProgress"))
                .startsWith("True StartupPolicyInProgress");
        machine.run(5);

        assertThat(machine.running("x-")).isEqualTo(2);
        assertThat(machine.set("x").is("StartupPolicyCompleted")).isTrue();
    }

    @Test
    void dependsOnWaitsForItsStatus() {
        machine.cpus(1)
                .script("x-data-.*", Duration.ofSeconds(10), 0)
                .apply(
                        plain(
                                "x",
                                "suspend: false",
                                rj("data", 1, "")
                                        + rj(
                                                "train",
                                                1,
                                                "dependsOn: [{name: data, status: Complete}]")))
                .run(5);
        assertThat(machine.pods("x-train-")).isEmpty();

        machine.run(10);

        assertThat(machine.running("x-train-")).isEqualTo(1);
    }

    @Test
    void successOfAnyTargetIsEnough() {
        machine.cpus(1)
                .script("x-driver-.*", Duration.ofSeconds(5), 0)
                .apply(
                        plain(
                                "x",
                                "successPolicy: {operator: Any, targetReplicatedJobs: [driver]}",
                                rj("driver", 1, "") + rj("worker", 2, "")))
                .run(10);

        assertThat(machine.set("x").text("status", "terminalState")).isEqualTo("Completed");
        assertThat(machine.running("x-worker-")).isZero();
    }

    @Test
    void heldSetMakesHeldJobsAndGivesThemWhatWasInjectedMeanwhile() {
        machine.cpus(1).apply(plain("x", "suspend: true", rj("a", 1, ""))).run(3);
        assertThat(machine.pods("x-")).isEmpty();
        assertThat(machine.job("x-a-0").at("spec", "suspend").asBoolean()).isTrue();
        assertThat(machine.condition(machine.set("x"), "Suspended"))
                .isEqualTo("True SuspendedJobs jobset is suspended");

        machine.edit(
                machine.set("x"),
                json -> {
                    json.withObjectProperty("spec").put("suspend", false);
                    var job = (ObjectNode) json.path("spec").path("replicatedJobs").path(0);
                    job.withObjectProperty("template")
                            .withObjectProperty("spec")
                            .withObjectProperty("template")
                            .withObjectProperty("spec")
                            .withObjectProperty("nodeSelector")
                            .put("cloud.google.com/gke-nodepool", "default-pool");
                });
        machine.run(3);

        assertThat(machine.running("x-")).isEqualTo(1);
        assertThat(machine.pods("x-").getFirst().texts("spec", "nodeSelector"))
                .containsEntry("cloud.google.com/gke-nodepool", "default-pool");
        assertThat(machine.condition(machine.set("x"), "Suspended"))
                .isEqualTo("False ResumeJobs jobset is resumed");
    }

    @Test
    @DisplayName("OT4, A24 replicatedJobs are immutable, also for the same file applied again")
    void replicatedJobsAreImmutable() {
        machine.apply(set("x", 1, "suspend: false"));
        var again =
                Rig.parse(set("x", 1, "suspend: false"))
                        .with(
                                json ->
                                        json.withObjectProperty("metadata")
                                                .put(
                                                        "resourceVersion",
                                                        Long.toString(
                                                                machine.set("x")
                                                                        .resourceVersion())));

        assertThatThrownBy(() -> machine.rig().cluster().update(again, WriteOptions.PLAIN))
                .hasMessageStartingWith(
                        "admission webhook \"vjobset.kb.io\" denied the request:"
                                + " spec.replicatedJobs: Invalid value: [{\"name\":\"slice\"")
                .hasMessageEndingWith("}]: field is immutable");
    }

    @Test
    void namesThatBecomeTooLongAreRefused() {
        assertThatThrownBy(() -> machine.apply(set("x".repeat(56), 1, "suspend: false")))
                .hasMessageContaining("JobSet name is too long, job names generated");
        assertThatThrownBy(() -> machine.apply(set("x".repeat(50), 1, "suspend: false")))
                .hasMessageContaining("JobSet name is too long, pod names generated");
    }

    @Test
    void jobsAndPodsCarryTheMarksOfTheirSet() {
        machine.slices(2, V5E, "2x4").apply(set("two", 2, "suspend: false")).run(3);

        assertThat(machine.job("two-slice-1").labels())
                .containsEntry("jobset.sigs.k8s.io/jobset-name", "two")
                .containsEntry("jobset.sigs.k8s.io/replicatedjob-name", "slice")
                .containsEntry("jobset.sigs.k8s.io/replicatedjob-replicas", "2")
                .containsEntry("jobset.sigs.k8s.io/job-index", "1")
                .containsEntry("jobset.sigs.k8s.io/job-global-index", "1")
                .containsKey("jobset.sigs.k8s.io/job-key");
        assertThat(machine.rig().at(Kinds.SERVICE, "two").text("spec", "clusterIP"))
                .isEqualTo("None");
        var pod = machine.pods("two-slice-1-1-").getFirst();
        assertThat(pod.text("spec", "subdomain")).isEqualTo("two");
        assertThat(pod.text("spec", "hostname")).isEqualTo("two-slice-1-1");
    }
}
