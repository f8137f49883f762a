package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.Rules;

/// JobSets that wait in a queue and then run on nodes.
class QueuedSetTest {
    private final Machine machine =
            Machine.queued(Rules.of(Profile.V0_17), _ -> List.of())
                    .slices(1, "tpu-v5-lite-podslice", "2x4")
                    .apply(
                            """
                            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: v5e}}
                            """)
                    .apply(
                            """
                            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: main},
                             spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [google.com/tpu],
                               flavors: [{name: v5e, resources: [{name: google.com/tpu, nominalQuota: 8}]}]}]}}
                            """)
                    .apply(
                            """
                            {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: user, namespace: default},
                             spec: {clusterQueue: main}}
                            """);

    @AfterEach
    void close() {
        machine.close();
    }

    private void submit(String name) {
        machine.apply(
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: user}}
                spec:
                  failurePolicy: {maxRestarts: 3}
                  replicatedJobs:
                  - name: slice
                    template:
                      spec:
                        parallelism: 2
                        completions: 2
                        backoffLimit: 0
                        template:
                          spec:
                            restartPolicy: Never
                            containers:
                            - {name: c, image: busybox, resources: {limits: {google.com/tpu: 4}}}
                """
                        .formatted(name));
    }

    private Resource workload(String set) {
        return machine.rig().cluster().ownedBy(machine.set(set), Kinds.WORKLOAD).getFirst();
    }

    @Test
    @DisplayName("A23: a JobSet that restarts keeps its quota")
    void restartKeepsTheQuota() {
        machine.script("first-slice-0-1-.*", Duration.ofSeconds(20), 1);
        submit("first");
        machine.run(2);
        submit("second");
        machine.run(3);
        var admitted = machine.condition(workload("first"), "Admitted");
        var since = workload("first").condition("QuotaReserved").orElseThrow();

        machine.run(60);

        assertThat(machine.set("first").at("status", "restarts").asInt()).isPositive();
        assertThat(machine.condition(workload("first"), "Admitted")).isEqualTo(admitted);
        assertThat(workload("first").condition("QuotaReserved").orElseThrow()).isEqualTo(since);
        assertThat(workload("second").is("QuotaReserved")).isFalse();
        assertThat(machine.pods("second-")).isEmpty();
    }

    @Test
    @DisplayName("skypilot#5493, #5494: gangs run whole and in the order in which they came")
    void gangsRunWholeAndInTheirOrder() {
        machine.script(".*", Duration.ofSeconds(10), 0);
        for (var name : new String[] {"a", "b", "c"}) {
            submit(name);
            machine.run(1);
        }
        machine.run(2);
        assertThat(machine.running("a-")).isEqualTo(2);
        assertThat(machine.pods("b-")).isEmpty();

        machine.run(12);
        assertThat(machine.running("b-")).isEqualTo(2);
        assertThat(machine.pods("c-")).isEmpty();

        machine.run(40);
        assertThat(List.of("a", "b", "c")).allMatch(name -> machine.set(name).is("Completed"));
    }
}
