package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.nodes.process.VirtualRuntime.Script;

class JobTest {
    private final Machine machine = Machine.open().cpus(2);

    @AfterEach
    void close() {
        machine.close();
    }

    private static String job(String spec) {
        return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: work, namespace: default}
        spec:
          %s
          template:
            spec:
              restartPolicy: %s
              containers: [{name: main, image: busybox, command: [sh]}]
        """
                .formatted(spec, spec.contains("onFailure") ? "OnFailure" : "Never")
                .replace("  onFailure: yes\n", "");
    }

    @Test
    void indexedJobRunsEachIndexOnce() {
        machine.script("work-.*", Duration.ofSeconds(5), 0)
                .apply(job("completions: 3\n  parallelism: 2\n  completionMode: Indexed"));

        machine.run(1);
        assertThat(machine.running("work-")).isEqualTo(2);
        assertThat(machine.pods("work-0-").getFirst().text("spec", "hostname")).isEqualTo("work-0");
        machine.run(30);

        var job = machine.job("work");
        assertThat(job.text("status", "completedIndexes")).isEqualTo("0-2");
        assertThat(job.at("status", "succeeded").asInt()).isEqualTo(3);
        assertThat(machine.condition(job, "Complete"))
                .isEqualTo("True CompletionsReached Reached expected number of succeeded pods");
        assertThat(machine.events("work")).contains("Completed: Job completed");
    }

    @Test
    void failedPodsAreReplacedAfterPausesUntilTheLimit() {
        machine.script("work-.*", Duration.ofSeconds(1), 1).apply(job("backoffLimit: 2"));

        machine.run(5);
        assertThat(machine.pods("work-")).hasSize(1);
        machine.run(10);
        assertThat(machine.pods("work-")).hasSize(2);
        machine.run(60);

        var job = machine.job("work");
        assertThat(job.at("status", "failed").asInt()).isEqualTo(3);
        assertThat(machine.condition(job, "Failed"))
                .isEqualTo("True BackoffLimitExceeded Job has reached the specified backoff limit");
    }

    @Test
    void restartInPlaceCountsTowardsTheLimit() {
        machine.script("work-.*", Duration.ofSeconds(1), 1)
                .apply(job("backoffLimit: 0\n  onFailure: yes"));

        machine.run(10);

        assertThat(machine.condition(machine.job("work"), "Failed"))
                .startsWith("True BackoffLimitExceeded");
    }

    @Test
    void suspendedJobHasNoPodsAndCountsNoFailure() {
        machine.apply(job("parallelism: 2\n  completions: 2")).run(2);
        assertThat(machine.running("work-")).isEqualTo(2);

        machine.edit(machine.job("work"), j -> j.withObjectProperty("spec").put("suspend", true));
        machine.run(5);

        assertThat(machine.pods("work-")).isEmpty();
        assertThat(machine.job("work").at("status", "failed").asInt(0)).isZero();
        assertThat(machine.condition(machine.job("work"), "Suspended"))
                .isEqualTo("True JobSuspended Job suspended");

        machine.edit(machine.job("work"), j -> j.withObjectProperty("spec").put("suspend", false));
        machine.run(5);
        assertThat(machine.running("work-")).isEqualTo(2);
    }

    @Test
    void deadlineEndsIt() {
        machine.apply(job("activeDeadlineSeconds: 20")).run(25);

        assertThat(machine.condition(machine.job("work"), "Failed"))
                .isEqualTo("True DeadlineExceeded Job was active longer than specified deadline");
        assertThat(machine.running("work-")).isZero();
    }

    @Test
    void failurePolicyIgnoresDisruptionsAndFailsOnAnExitCode() {
        machine.cpus(3)
                .apply(
                        job(
                                """
                                backoffLimit: 0
                                  podFailurePolicy:
                                    rules:
                                    - {action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'True'}]}
                                    - {action: FailJob, onExitCodes: {operator: In, values: [42]}}\
                                """))
                .run(2);
        var node = machine.pods("work-").getFirst().text("spec", "nodeName");
        assertThat(node).isNotEmpty();

        machine.rig().cluster().remove(Kinds.NODE.key("", node));
        machine.run(5);
        assertThat(machine.running("work-")).isEqualTo(1);
        assertThat(machine.job("work").at("status", "failed").asInt(0)).isZero();

        machine.script("work-.*", Duration.ZERO, 42);
        var next = machine.pods("work-").getFirst().text("spec", "nodeName");
        machine.rig().cluster().remove(Kinds.NODE.key("", next));
        machine.run(20);
        assertThat(machine.condition(machine.job("work"), "Failed"))
                .contains("PodFailurePolicy Container main for pod default/work-")
                .contains("failed with exit code 42 matching FailJob rule at index 1");
    }

    @Test
    void failuresMayBeCountedForEachIndex() {
        machine.script("work-1-.*", Duration.ofSeconds(1), 1)
                .script("work-0-.*", Duration.ofSeconds(1), 0)
                .apply(
                        job(
                                "completions: 2\n  parallelism: 2\n  completionMode: Indexed\n"
                                        + "  backoffLimitPerIndex: 1"));

        machine.run(60);

        var job = machine.job("work");
        assertThat(job.text("status", "failedIndexes")).isEqualTo("1");
        assertThat(job.text("status", "completedIndexes")).isEqualTo("0");
        assertThat(machine.condition(job, "Failed"))
                .isEqualTo("True FailedIndexes Job has failed indexes");
    }

    @Test
    void finishedJobGoesAfterItsTime() {
        machine.script("work-.*", Duration.ofSeconds(1), 0)
                .apply(job("ttlSecondsAfterFinished: 10"))
                .run(5);
        assertThat(machine.job("work").is("Complete")).isTrue();

        machine.run(20);

        assertThat(machine.rig().cluster().find(Kinds.JOB.key("default", "work"))).isEmpty();
        assertThat(machine.pods("work-")).isEmpty();
    }

    @Test
    void deletedPodEndsInItsGracePeriodAndIsCountedOnce() {
        machine.script("work-.*", new Script(Duration.ofHours(1), 0, Duration.ofHours(1)))
                .apply(job("backoffLimit: 3"))
                .run(2);
        var pod = machine.pods("work-").getFirst();

        machine.rig().cluster().delete(pod.key(), Propagation.BACKGROUND);
        machine.run(20);
        assertThat(machine.rig().cluster().find(pod.key())).isPresent();
        machine.run(20);

        assertThat(machine.rig().cluster().find(pod.key())).isEmpty();
        assertThat(machine.job("work").at("status", "failed").asInt()).isEqualTo(1);
    }
}
