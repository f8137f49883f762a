package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.TpuSlice;

/// A lost slice is replaced by another: a spare one, or one that a less important job has.
class HotSwapTest {
    private static final String V6E = "tpu-v6e-slice";
    private final Machine machine = Machine.open();

    @AfterEach
    void close() {
        machine.close();
    }

    private void classes() {
        for (var name : new String[] {"low-priority-job/1000000", "high-priority-job/2000000"}) {
            var parts = name.split("/");
            machine.apply(
                    """
                    apiVersion: scheduling.k8s.io/v1
                    kind: PriorityClass
                    metadata: {name: %s}
                    value: %s
                    """
                            .formatted(parts[0], parts[1]));
        }
    }

    private static String set(String name, String priority) {
        return """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata:
          name: %s
          namespace: default
          annotations:
            alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
        spec:
          failurePolicy: {maxRestarts: 10, restartStrategy: BlockingRecreate}
          replicatedJobs:
          - name: slice
            replicas: 2
            template:
              spec:
                backoffLimit: 0
                completions: 4
                parallelism: 4
                template:
                  spec:
                    nodeSelector:
                      cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
                      cloud.google.com/gke-tpu-topology: 4x4
                    hostNetwork: true
                    priorityClassName: %s-priority-job
                    containers:
                    - name: jax-program
                      image: python:3.11
                      command: [python3, train.py]
                      resources: {limits: {google.com/tpu: 4}}
        """
                .formatted(name, priority);
    }

    @Test
    @DisplayName("A22 a spare slice takes the place of a lost one")
    void spareSliceIsTaken() {
        classes();
        machine.slices(3, V6E, "4x4").apply(set("high", "high")).run(5);
        assertThat(machine.poolsOf("high-")).containsExactly("pool-1", "pool-2");

        machine.pools().lose("pool-1");
        machine.run(10);

        assertThat(machine.running("high-")).isEqualTo(8);
        assertThat(machine.poolsOf("high-")).containsExactly("pool-2", "pool-3");
        assertThat(machine.set("high").at("status", "restarts").asInt()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "A22, ON5, ON2 without a spare the less important set gives a slice, waits, and"
                    + " returns")
    void lessImportantSetGivesASliceAndReturnsAfterTheRepair() {
        classes();
        machine.slices(4, V6E, "4x4").apply(set("high", "high")).run(5);
        machine.apply(set("low", "low")).run(5);
        assertThat(machine.running("")).isEqualTo(16);

        machine.pools().lose("pool-1");
        machine.run(Duration.ofMillis(1100));
        assertThat(machine.events("high"))
                .contains(
                        "RestartJobSetFailurePolicyAction: applying RestartJobSet failure policy"
                                + " action (first failed job: high-slice-0)");
        machine.run(60);

        assertThat(machine.running("high-")).isEqualTo(8);
        assertThat(machine.set("high").at("status", "restarts").asInt()).isEqualTo(1);
        assertThat(machine.set("low").at("status", "restarts").asInt()).isEqualTo(1);
        assertThat(machine.set("low").text("status", "terminalState")).isEmpty();
        assertThat(machine.running("low-")).isEqualTo(4);
        var waiting =
                machine.pods("low-").stream()
                        .filter(p -> p.text("spec", "nodeName").isEmpty())
                        .toList();
        assertThat(waiting).hasSize(1);
        assertThat(machine.condition(waiting.getFirst(), "PodScheduled"))
                .startsWith("False Unschedulable 0/12 nodes are available: ");

        machine.pools().add(NodePool.of("pool-1", TpuSlice.of(V6E, "4x4")));
        machine.run(10);
        assertThat(machine.running("low-")).isEqualTo(8);
        assertThat(machine.set("low").at("status", "restarts").asInt()).isEqualTo(1);
    }

    @Test
    @DisplayName("OT14 a victim is marked, and told why")
    void victimIsMarked() {
        classes();
        machine.slices(2, V6E, "4x4").apply(set("low", "low")).run(5);
        assertThat(machine.running("low-")).isEqualTo(8);

        machine.apply(set("high", "high"));
        machine.rig().settle();

        assertThat(machine.rig().cluster().list(Kinds.EVENT, "default"))
                .anySatisfy(
                        e -> {
                            assertThat(e.text("reason")).isEqualTo("Preempted");
                            assertThat(e.text("involvedObject", "name")).startsWith("low-");
                        });
        machine.run(60);
        assertThat(machine.running("high-")).isEqualTo(8);
        assertThat(machine.set("low").at("status", "restarts").asInt()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "ON1, ON7 two sets of different priority that begin together collide though slices are"
                    + " free")
    void setsOfDifferentPriorityCollide() {
        classes();
        machine.slices(4, V6E, "4x4");
        machine.rig().create(set("low", "low"));
        machine.rig().create(set("high", "high"));

        machine.run(120);

        assertThat(machine.running("")).isEqualTo(16);
        assertThat(machine.set("low").at("status", "restarts").asInt()).isEqualTo(1);
        assertThat(machine.set("high").at("status", "restarts").asInt(0)).isZero();
    }

    @Test
    @DisplayName("A21, jobset#341 no pool ever holds pods of two jobs of a priority")
    void setsOfOnePriorityNeverShareAPool() {
        classes();
        machine.slices(4, V6E, "4x4");
        machine.rig().create(set("a", "low"));
        machine.rig().create(set("b", "low"));
        for (int i = 0; i < 40; i++) {
            machine.run(Duration.ofMillis(500));
            assertThat(machine.poolsOf("a-")).doesNotContainAnyElementsOf(machine.poolsOf("b-"));
        }
        assertThat(machine.running("")).isEqualTo(16);
    }

    @Test
    @DisplayName("jobset#682 a more important set drives a lesser one out of the only pool")
    void exclusivePlacementDoesNotStopPreemption() {
        classes();
        machine.slices(2, V6E, "4x4").apply(set("low", "low")).run(5);
        machine.apply(set("high", "high")).run(60);

        assertThat(machine.running("high-")).isEqualTo(8);
    }
}
