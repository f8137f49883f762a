package org.meshbook.magics.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Kinds;

/// `%scale` on a cluster that runs.
@Timeout(300)
class ScaleMagicTest {
    private static final String RAY =
            """
            apiVersion: ray.io/v1
            kind: RayJob
            metadata: {name: train, namespace: default}
            spec:
              shutdownAfterJobFinishes: true
              entrypoint: sleep 600
              rayClusterSpec:
                headGroupSpec:
                  rayStartParams: {}
                  template: {spec: {containers: [{name: head, image: busybox}]}}
                workerGroupSpecs:
            """;
    private static final String GROUP =
            """
                - groupName: %s
                  replicas: 1
                  minReplicas: 1
                  maxReplicas: 3
                  rayStartParams: {}
                  template: {spec: {containers: [{name: worker, image: busybox}]}}
            """;

    @TempDir private static Path folder;
    private static ClusterCells cells;

    @BeforeAll
    static void open() throws Exception {
        cells = new ClusterCells(folder);
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @Test
    void jobRunsSoManyPodsAtATime() {
        cells.create(
                ClusterCells.job("wide", "{}", "sleep 600")
                        .replace("spec:\n  back", "spec:\n  completions: 4\n  back"));
        assertThat(cells.out("%scale job wide --replicas 2"))
                .isEqualTo("jobs.batch/wide scaled from 1 to 2\n");
        cells.await(
                Kinds.JOB.key("default", "wide"), job -> job.at("status", "active").asInt(0) == 2);
    }

    @Test
    void rayJobIsScaledInItsCluster() {
        cells.create(RAY + GROUP.formatted("small"));
        cells.await(
                Kinds.RAY_JOB.key("default", "train"),
                job -> !job.text("status", "rayClusterName").isEmpty());
        var name =
                cells.cluster()
                        .find(Kinds.RAY_JOB.key("default", "train"))
                        .orElseThrow()
                        .text("status", "rayClusterName");
        cells.await(Kinds.RAY_CLUSTER.key("default", name), _ -> true);

        assertThat(cells.out("%scale rayjob train --replicas 3"))
                .isEqualTo("rayclusters.ray.io/%s scaled from 1 to 3\n".formatted(name));

        cells.await(
                Kinds.RAY_CLUSTER.key("default", name),
                ray -> ray.at("status", "desiredWorkerReplicas").asInt(0) == 3);
    }

    @Test
    void groupsThatCouldBeMeantAreNamed() {
        var two =
                RAY.replace("name: train", "name: several")
                        + GROUP.formatted("small")
                        + GROUP.formatted("large");
        cells.create(two);
        cells.await(
                Kinds.RAY_JOB.key("default", "several"),
                job -> !job.text("status", "rayClusterName").isEmpty());
        var name =
                cells.cluster()
                        .find(Kinds.RAY_JOB.key("default", "several"))
                        .orElseThrow()
                        .text("status", "rayClusterName");
        cells.await(Kinds.RAY_CLUSTER.key("default", name), _ -> true);

        assertThat(cells.run("%scale rayjob several --replicas 2").error())
                .contains("has the groups small, large; say which with --group");
        assertThat(cells.out("%scale rayjob several --group large --replicas 2"))
                .contains("scaled from 1 to 2");
    }

    @Test
    void whatCannotBeScaledIsSaid() {
        assertThat(cells.run("%scale jobset x --replicas 2").error())
                .contains("%scale changes jobs, rayjobs and rayclusters, no jobsets");
        assertThat(cells.run("%scale job x").error()).contains("%scale rayjob train --replicas 2");
        assertThat(cells.run("%scale job gone --replicas 2").error()).contains("gone");
    }
}
