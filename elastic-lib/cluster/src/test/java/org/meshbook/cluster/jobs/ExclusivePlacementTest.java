package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.nodes.process.VirtualRuntime.Script;

/// Followers go where their leader is, whatever happens to the leader.
class ExclusivePlacementTest {
    private static final String POOL = "cloud.google.com/gke-nodepool";

    private final Machine machine = Machine.open().slices(2, "tpu-v5-lite-podslice", "2x4");

    @AfterEach
    void close() {
        machine.close();
    }

    private void submit() {
        machine.apply(
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata:
                  name: x
                  namespace: default
                  annotations:
                    alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
                spec:
                  replicatedJobs:
                  - name: slice
                    template:
                      spec:
                        parallelism: 2
                        completions: 2
                        backoffLimit: 3
                        template:
                          spec:
                            restartPolicy: Never
                            nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice}
                            containers:
                            - {name: c, image: busybox, resources: {limits: {google.com/tpu: 4}}}
                """);
    }

    private Resource pod(int index) {
        return machine.pods("x-slice-0-" + index + "-").stream()
                .filter(p -> !p.deleting())
                .findFirst()
                .orElseThrow();
    }

    private void suspend(boolean on) {
        machine.edit(machine.set("x"), j -> j.withObjectProperty("spec").put("suspend", on));
    }

    @Test
    @DisplayName("jobset#1021: a leader that is about to end leads nobody")
    void leaderThatIsAboutToEndLeadsNobody() {
        // Pods need ten seconds to end when they are asked to.
        machine.script("x-.*", new Script(Duration.ofHours(1), 0, Duration.ofSeconds(10)));
        submit();
        machine.run(5);
        assertThat(machine.poolsOf("x-")).containsExactly("pool-1");

        suspend(true);
        machine.run(1);
        suspend(false);
        machine.run(60);

        assertThat(machine.running("x-")).isEqualTo(2);
        assertThat(machine.poolsOf("x-")).hasSize(1);
        assertThat(pod(1).texts("spec", "nodeSelector"))
                .containsEntry(POOL, machine.poolsOf("x-").getFirst());
    }

    @Test
    @DisplayName("jobset PR 1269: a follower that is tied to another pool is replaced")
    void followerOfAnotherPoolIsReplaced() {
        submit();
        machine.run(5);
        var before = pod(1);

        machine.edit(
                before,
                json ->
                        json.withObjectProperty("spec")
                                .withObjectProperty("nodeSelector")
                                .put(POOL, "pool-2"));
        var marked = machine.rig().cluster().find(before.key()).map(p -> p.is("DisruptionTarget"));
        machine.run(90);

        assertThat(marked).contains(true);
        assertThat(pod(1).uid()).isNotEqualTo(before.uid());
        assertThat(pod(1).texts("spec", "nodeSelector")).containsEntry(POOL, "pool-1");
        assertThat(machine.running("x-")).isEqualTo(2);
    }
}
