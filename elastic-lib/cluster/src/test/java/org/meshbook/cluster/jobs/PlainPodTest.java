package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.Rules;

/// Pods that name a queue and belong to no job (OV5).
class PlainPodTest {
    /// Room for one pod at a time.
    private static Machine machine(Profile profile) {
        return Machine.queued(Rules.of(profile), _ -> List.of())
                .cpus(2)
                .apply(
                        """
                        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain},
                         spec: {nodeLabels: {cloud.google.com/gke-nodepool: default-pool}}}
                        """)
                .apply(
                        """
                        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: main},
                         spec: {namespaceSelector: {}, preemption: {withinClusterQueue: LowerPriority},
                           resourceGroups: [{coveredResources: [cpu],
                           flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 1}]}]}]}}
                        """)
                .apply(
                        """
                        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: user, namespace: default},
                         spec: {clusterQueue: main}}
                        """);
    }

    private static void submit(Machine machine, String name, String labels) {
        machine.apply(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: default
                  labels: {kueue.x-k8s.io/queue-name: user%s}
                spec:
                  restartPolicy: Never
                  containers: [{name: c, image: busybox, resources: {requests: {cpu: 1}}}]
                """
                        .formatted(name, labels));
        machine.run(2);
    }

    private static Resource pod(Machine machine, String name) {
        return machine.rig().at(Kinds.POD, name);
    }

    private static String phase(Machine machine, String name) {
        return pod(machine, name).text("status", "phase");
    }

    private static List<Resource> workloads(Machine machine) {
        return machine.rig().cluster().list(Kinds.WORKLOAD, "default");
    }

    @Test
    @DisplayName("OV5: pods wait at a gate and run one after the other")
    void podsWaitAtAGate() {
        try (var machine = machine(Profile.V0_17)) {
            machine.script("first", Duration.ofSeconds(20), 0);
            submit(machine, "first", "");
            submit(machine, "second", "");

            assertThat(workloads(machine))
                    .extracting(Resource::name)
                    .allMatch(name -> name.matches("pod-(first|second)-[0-9a-f]{5}"));
            var first = pod(machine, "first");
            assertThat(phase(machine, "first")).isEqualTo("Running");
            assertThat(first.labels())
                    .containsEntry("kueue.x-k8s.io/managed", "true")
                    .containsEntry("kueue.x-k8s.io/podset", "main")
                    .containsEntry("kueue.x-k8s.io/cluster-queue-name", "main")
                    .containsEntry("kueue.x-k8s.io/local-queue-name", "user");
            assertThat(first.annotations())
                    .containsKeys("kueue.x-k8s.io/role-hash", "kueue.x-k8s.io/workload");
            assertThat(first.at("metadata", "finalizers").toString())
                    .contains("kueue.x-k8s.io/managed");
            assertThat(first.texts("spec", "nodeSelector"))
                    .containsEntry("cloud.google.com/gke-nodepool", "default-pool");
            assertThat(pod(machine, "second").list("spec", "schedulingGates").toString())
                    .contains("kueue.x-k8s.io/admission");

            machine.run(30);

            assertThat(phase(machine, "first")).isEqualTo("Succeeded");
            assertThat(pod(machine, "first").list("metadata", "finalizers")).isEmpty();
            assertThat(phase(machine, "second")).isEqualTo("Running");
        }
    }

    @Test
    @DisplayName("OV5: a pod that has to give its quota back is deleted")
    void preemptedPodIsDeleted() {
        try (var machine = machine(Profile.V0_17)) {
            machine.apply(
                    """
                    {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, value: 9}
                    """);
            submit(machine, "low", "");
            submit(machine, "high", ", kueue.x-k8s.io/priority-class: high");
            machine.run(40);

            assertThat(machine.pods("low")).isEmpty();
            assertThat(phase(machine, "high")).isEqualTo("Running");
            assertThat(workloads(machine)).hasSize(1);
        }
    }

    @Test
    void waitingPodThatIsDeletedLeavesNothing() {
        try (var machine = machine(Profile.V0_17)) {
            submit(machine, "first", "");
            submit(machine, "second", "");
            machine.rig()
                    .cluster()
                    .delete(Kinds.POD.key("default", "second"), Propagation.BACKGROUND);
            machine.run(2);

            assertThat(machine.pods("second")).isEmpty();
            assertThat(workloads(machine)).hasSize(1);
        }
    }

    @Test
    void podsOfAQueuedJobAreNotQueuedThemselves() {
        try (var machine = machine(Profile.V0_17)) {
            machine.apply(
                    """
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: j, namespace: default, labels: {kueue.x-k8s.io/queue-name: user}}
                    spec:
                      template:
                        metadata: {labels: {kueue.x-k8s.io/queue-name: user}}
                        spec:
                          restartPolicy: Never
                          containers: [{name: c, image: busybox, resources: {requests: {cpu: 1}}}]
                    """);
            machine.run(3);

            assertThat(workloads(machine)).hasSize(1);
            assertThat(machine.running("j-")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("OV5: 0.14 leaves pods alone")
    void oldProfileLeavesPodsAlone() {
        try (var machine = machine(Profile.V0_14)) {
            submit(machine, "first", "");
            submit(machine, "second", "");

            assertThat(workloads(machine)).isEmpty();
            assertThat(phase(machine, "second")).isEqualTo("Running");
            assertThat(pod(machine, "first").labels()).hasSize(1);
        }
    }
}
