package org.meshbook.cluster.outlook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.jobs.Machine;

/// How exclusive placement is explained.
class PlacementTest {
    private static Machine twoJobs(int pools) {
        var machine = Machine.open();
        machine.slices(pools, "tpu-v5-lite-podslice", "2x4");
        return machine.apply(
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata:
                  name: train
                  namespace: default
                  annotations:
                    alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
                spec:
                  replicatedJobs:
                  - name: slice
                    replicas: 2
                    template:
                      spec:
                        parallelism: 2
                        completions: 2
                        template:
                          spec:
                            nodeSelector:
                              cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
                              cloud.google.com/gke-tpu-topology: 2x4
                            containers:
                            - {name: c, image: i, resources: {limits: {google.com/tpu: 4}}}
                """);
    }

    private static List<Cause> explained(Machine machine) {
        return Placement.of(machine.rig().cluster(), machine.set("train"), machine.rig().now());
    }

    @Test
    @DisplayName("scenario 53: leaders, their domains, and who follows")
    void leadersAndFollowersAreListed() {
        try (var machine = twoJobs(2).run(10)) {
            assertThat(explained(machine))
                    .extracting(Cause::text)
                    .satisfiesExactly(
                            line ->
                                    assertThat(line)
                                            .matches(
                                                    "train-slice-0: leader train-slice-0-0-\\w+ on"
                                                            + " pool-\\d \\(cloud.google.com/gke-nodepool\\),"
                                                            + " 1 of 1 follower\\(s\\) beside it"),
                            line -> assertThat(line).startsWith("train-slice-1: leader"));
        }
    }

    @Test
    @DisplayName("scenario 46: a follower's reason is its leader's")
    void whatKeepsFollowersIsTheReasonOfTheirLeader() {
        try (var machine = twoJobs(1).run(10)) {
            assertThat(explained(machine))
                    .filteredOn(cause -> cause.code() == Code.LEADER_PENDING)
                    .singleElement()
                    .satisfies(
                            cause ->
                                    assertThat(cause.text())
                                            .contains("is Pending: 0/2 nodes are available")
                                            .contains(
                                                    "its 1 follower(s) are made once it has a node")
                                            .doesNotContain("node selector not set"));
        }
    }
}
