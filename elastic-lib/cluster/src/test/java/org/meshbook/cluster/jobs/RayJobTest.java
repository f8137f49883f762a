package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.jobs.ray.RayClusterController;
import org.meshbook.cluster.jobs.ray.RayJobController;

class RayJobTest {
    private final Machine machine =
            Machine.with(
                            parts ->
                                    List.of(
                                            new RayJobController(parts.cluster(), parts.clock()),
                                            new RayClusterController(
                                                    parts.cluster(), parts.clock())))
                    .cpus(2);

    @AfterEach
    void close() {
        machine.close();
    }

    private static String job(String more) {
        return """
        apiVersion: ray.io/v1
        kind: RayJob
        metadata: {name: train, namespace: default}
        spec:
          shutdownAfterJobFinishes: true
          entrypoint: python /app/train.py
          %s
          rayClusterSpec:
            headGroupSpec:
              rayStartParams: {}
              template:
                spec:
                  containers: [{name: ray-head, image: 'rayproject/ray:2.53.0-py311'}]
            workerGroupSpecs:
            - groupName: tpu-group
              replicas: 1
              minReplicas: 1
              maxReplicas: 2
              numOfHosts: 4
              rayStartParams: {}
              template:
                spec:
                  containers: [{name: ray-worker, image: 'rayproject/ray:2.53.0-py311'}]
        """
                .formatted(more);
    }

    private String state() {
        var status = machine.rig().at(Kinds.RAY_JOB, "train");
        return (status.text("status", "jobDeploymentStatus")
                        + " "
                        + status.text("status", "jobStatus")
                        + " "
                        + status.text("status", "reason"))
                .strip();
    }

    @Test
    @DisplayName("A29 the submitter is called like the RayJob and comes after the head is ready")
    void submitterComesAfterTheHead() {
        machine.script("train-[a-z0-9]{5}", Duration.ofSeconds(20), 0).apply(job(""));
        assertThat(machine.rig().cluster().find(Kinds.JOB.key("default", "train"))).isPresent();
        assertThat(machine.pods("train-").stream().filter(p -> p.name().contains("-worker-")))
                .hasSize(4);
        assertThat(machine.rig().cluster().find(Kinds.SERVICE.key("default", "train-head-svc")))
                .isPresent();
        machine.run(5);
        assertThat(state()).isEqualTo("Running RUNNING");

        machine.run(30);

        assertThat(state()).isEqualTo("Complete SUCCEEDED");
        assertThat(machine.rig().cluster().list(Kinds.RAY_CLUSTER, "default")).isEmpty();
        assertThat(machine.job("train").is("Complete")).isTrue();
    }

    @Test
    @DisplayName("kuberay#1480 an entrypoint that fails is FAILED, Failed, AppFailed")
    void failedEntrypointFailsTheJob() {
        machine.script("train-[a-z0-9]{5}", Duration.ofSeconds(2), 1)
                .apply(job("submitterConfig: {backoffLimit: 0}"))
                .run(30);

        assertThat(state()).isEqualTo("Failed FAILED AppFailed");
    }

    @Test
    @DisplayName("OD9 a new held RayJob flashes Initializing and Suspending")
    void heldJobFlashesInitializing() {
        var seen = new ArrayList<String>();
        try (var _ =
                machine.rig()
                        .cluster()
                        .watch(
                                Kinds.RAY_JOB,
                                e -> seen.add(e.object().text("status", "jobDeploymentStatus")))) {
            machine.apply(job("suspend: true")).run(1);
        }

        assertThat(seen).containsSubsequence("Initializing", "Suspending", "Suspended");
        var status = machine.rig().at(Kinds.RAY_JOB, "train");
        assertThat(status.text("status", "rayClusterName")).isEmpty();
        assertThat(machine.pods("train-")).isEmpty();
    }

    @Test
    @DisplayName("kuberay#4416 a held RayJob comes to rest")
    void heldJobComesToRest() {
        machine.apply(job("suspend: true")).run(1);
        long before = machine.rig().at(Kinds.RAY_JOB, "train").resourceVersion();
        machine.run(600);

        assertThat(machine.rig().at(Kinds.RAY_JOB, "train").resourceVersion()).isEqualTo(before);
    }

    @Test
    @DisplayName("kueue#1146 a RayJob that was held while it ran begins anew with another cluster")
    void heldJobBeginsAnew() {
        machine.apply(job("")).run(3);
        var first = machine.rig().at(Kinds.RAY_JOB, "train").text("status", "rayClusterName");
        machine.edit(
                machine.rig().at(Kinds.RAY_JOB, "train"),
                j -> j.withObjectProperty("spec").put("suspend", true));
        machine.run(5);
        assertThat(state()).isEqualTo("Suspended");
        assertThat(machine.pods("train-")).isEmpty();

        machine.edit(
                machine.rig().at(Kinds.RAY_JOB, "train"),
                j -> j.withObjectProperty("spec").put("suspend", false));
        machine.run(5);

        assertThat(state()).isEqualTo("Running RUNNING");
        assertThat(machine.rig().at(Kinds.RAY_JOB, "train").text("status", "rayClusterName"))
                .isNotEqualTo(first);
    }

    @Test
    @DisplayName("kuberay#2058 a lost head costs an attempt: Retrying, then Complete")
    void lostHeadIsRetried() {
        machine.script("train-[a-z0-9]{5}", Duration.ofSeconds(20), 0)
                .apply(job("backoffLimit: 1"))
                .run(3);
        var head =
                machine.pods("train-").stream()
                        .filter(p -> p.name().contains("-head-"))
                        .findFirst()
                        .orElseThrow();

        machine.rig().cluster().remove(head.key());
        machine.run(60);

        assertThat(state()).startsWith("Complete SUCCEEDED");
        assertThat(machine.rig().at(Kinds.RAY_JOB, "train").at("status", "failed").asInt())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("kuberay#2154 a job that is initialized twice is submitted once, under one id")
    void jobIsSubmittedOnce() {
        machine.apply(job("")).run(3);
        var before = machine.rig().at(Kinds.RAY_JOB, "train");
        var submitter = machine.job("train").uid();

        machine.rig()
                .cluster()
                .updateStatus(
                        before.with(
                                j ->
                                        j.withObjectProperty("status")
                                                .put("jobDeploymentStatus", "Initializing")));
        machine.run(5);

        assertThat(state()).isEqualTo("Running RUNNING");
        assertThat(machine.job("train").uid()).isEqualTo(submitter);
        assertThat(machine.rig().at(Kinds.RAY_JOB, "train").text("status", "jobId"))
                .isEqualTo(before.text("status", "jobId"));
        assertThat(
                        machine.pods("train-").stream()
                                .filter(p -> p.name().matches("train-[a-z0-9]{5}")))
                .hasSize(1);
    }

    @Test
    @DisplayName(
            "ON3 a submitter that ended while the head cannot be asked fails the job after 30 s")
    void unknownEndFailsAfterItsGrace() {
        machine.apply(job("")).run(3);
        var submitter = machine.job("train");
        machine.pools().lose("default-pool");
        var ray = machine.rig().cluster().list(Kinds.RAY_CLUSTER, "default").getFirst();
        machine.rig()
                .cluster()
                .updateStatus(
                        ray.with(
                                j ->
                                        Conditions.put(
                                                j,
                                                "HeadPodReady",
                                                false,
                                                "HeadPodNotReady",
                                                "",
                                                machine.rig().now())));
        machine.rig()
                .cluster()
                .updateStatus(
                        submitter.with(
                                j ->
                                        Conditions.put(
                                                j,
                                                "Complete",
                                                true,
                                                "CompletionsReached",
                                                "",
                                                machine.rig().now())));
        machine.run(20);
        assertThat(state()).startsWith("Running");
        machine.run(15);

        assertThat(state())
                .isEqualTo("Failed FAILED JobDeploymentStatusTransitionGracePeriodExceeded");
    }
}
