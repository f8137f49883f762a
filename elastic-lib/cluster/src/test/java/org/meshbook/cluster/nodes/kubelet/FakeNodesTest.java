package org.meshbook.cluster.nodes.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.jobs.Machine;

/// Pods on nodes that are marked as KWOK marks its own.
class FakeNodesTest {
    private final Machine machine = Machine.open().script(".*", Duration.ofSeconds(3), 1);

    @BeforeEach
    void node() {
        machine.apply(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: fake, annotations: {kwok.x-k8s.io/node: fake}}
                status: {allocatable: {cpu: "8", memory: 8Gi, pods: "8"}}
                """);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    private void job(String annotations) {
        machine.apply(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: work, namespace: default}
                spec:
                  template:
                    metadata: {annotations: {%s}}
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: no-such-image}]
                """
                        .formatted(annotations));
    }

    @Test
    void theirPodsRunThoughNothingIsStarted() {
        job("");
        machine.run(3600);
        assertThat(machine.running("work-")).isEqualTo(1);
    }

    @Test
    void podsCompleteAfterTheirDelay() {
        job("pod-complete.stage.kwok.x-k8s.io/delay: 1m30s");
        machine.run(80);
        assertThat(machine.running("work-")).isEqualTo(1);
        machine.run(20);
        assertThat(machine.condition(machine.job("work"), "Complete")).startsWith("True");
    }

    @Test
    void theDelayMayComeLater() {
        job("");
        machine.run(10);
        machine.edit(
                machine.pods("work-").getFirst(),
                json ->
                        json.withObjectProperty("metadata")
                                .withObjectProperty("annotations")
                                .put("pod-complete.stage.kwok.x-k8s.io/delay", "0s"));
        machine.run(2);
        assertThat(machine.condition(machine.job("work"), "Complete")).startsWith("True");
    }

    @Test
    void aDelayThatCannotBeReadIsNone() {
        job("pod-complete.stage.kwok.x-k8s.io/delay: soon");
        machine.run(3600);
        assertThat(machine.running("work-")).isEqualTo(1);
    }
}
