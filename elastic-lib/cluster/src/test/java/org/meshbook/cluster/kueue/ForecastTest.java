package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.Validation;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.outlook.Forecast;
import org.meshbook.cluster.outlook.Forecast.Fate;
import org.meshbook.cluster.outlook.Forecast.Outcome;
import org.meshbook.cluster.queue.Rules;

/// What would become of jobs that are not submitted yet.
final class ForecastTest {
    private static final WriteOptions DRY = new WriteOptions(Validation.STRICT, true, _ -> {});

    private static Resource job(Stage stage, String name, int chips, String labels) {
        return stage.rig
                .cluster()
                .apply(
                        Rig.parse(
                                """
                                {apiVersion: 'batch/v1', kind: 'Job',
                                 metadata: {name: '%s', labels: {%s}},
                                 spec: {template: {spec: {restartPolicy: 'Never',
                                     containers: [{name: 'c', image: 'i',
                                       resources: {limits: {'google.com/tpu': '%d'}}}]}}}}
                                """
                                        .formatted(name, labels, chips)),
                        DRY);
    }

    private static Resource job(Stage stage, String name, int chips) {
        return job(stage, name, chips, "'kueue.x-k8s.io/queue-name': 'multislice-queue'");
    }

    private static List<Outcome> forecast(Stage stage, Resource... jobs) {
        var snapshot = Snapshot.of(stage.rig.cluster(), Rules.of(Profile.V0_17), stage.rig.now());
        return Forecast.of(snapshot, List.of(jobs));
    }

    @Test
    void jobsAreForetoldInTheirOrder() {
        try (var stage = Stage.standard().seed()) {
            var outcomes =
                    forecast(
                            stage,
                            job(stage, "a", 16),
                            job(stage, "b", 16),
                            job(stage, "c", 8),
                            job(stage, "free", 8, ""));
            assertThat(outcomes)
                    .extracting(Outcome::fate)
                    .containsExactly(Fate.ADMITTED, Fate.WAITS, Fate.ADMITTED, Fate.UNMANAGED);
            assertThat(outcomes.getFirst().places()).isEqualTo("vlp-24");
            assertThat(outcomes.get(1).message()).endsWith("8 more needed");
        }
    }

    @Test
    void whatItForetellsIsWhatHappens() {
        try (var stage = Stage.standard().seed().job("runs", 20)) {
            var fates = forecast(stage, job(stage, "a", 8), job(stage, "b", 4));
            stage.job("a", 8).job("b", 4);
            for (var fate : fates) {
                assertThat(stage.workload(Kinds.JOB, fate.name()).is("Admitted"))
                        .isEqualTo(fate.fate() == Fate.ADMITTED);
            }
        }
    }

    @Test
    void victimsAreNamed() {
        try (var stage =
                Stage.standard().seed("preemption: {withinClusterQueue: 'LowerPriority'}")) {
            stage.workloadClass("more", 100).job("low", 24);
            var outcome =
                    forecast(
                                    stage,
                                    job(
                                            stage,
                                            "high",
                                            8,
                                            "'kueue.x-k8s.io/queue-name': 'multislice-queue',"
                                                    + "'kueue.x-k8s.io/priority-class': 'more'"))
                            .getFirst();
            assertThat(outcome.fate()).isEqualTo(Fate.PREEMPTS);
            assertThat(outcome.victims()).containsExactly("low");
        }
    }

    @Test
    void whoWaitsLearnsWhoHoldsTheQuota() {
        try (var stage = Stage.standard().seed().job("runs", 24).job("next", 8)) {
            var outcome = forecast(stage, job(stage, "a", 8)).getFirst();
            assertThat(outcome.fate()).isEqualTo(Fate.WAITS);
            assertThat(outcome.ahead()).isEqualTo(1);
            assertThat(outcome.holders())
                    .singleElement()
                    .extracting(h -> h.job())
                    .isEqualTo("runs");
        }
    }

    @Test
    void queuesOfTheSameManifestCount() {
        try (var stage = Stage.standard()) {
            var dry = new ArrayList<Resource>();
            for (var text :
                    List.of(
                            "{apiVersion: 'kueue.x-k8s.io/v1beta2', kind: ResourceFlavor, metadata: {name: f}}",
                            """
                            {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: ClusterQueue, metadata: {name: q},
                             spec: {namespaceSelector: {}, resourceGroups: [
                               {coveredResources: ['google.com/tpu'], flavors: [%s]}]}}
                            """
                                    .formatted(Stage.quota("f", 8)),
                            """
                            {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: LocalQueue,
                             metadata: {name: multislice-queue}, spec: {clusterQueue: q}}
                            """)) {
                dry.add(stage.rig.cluster().apply(Rig.parse(text), DRY));
            }
            var snapshot =
                    Snapshot.of(stage.rig.cluster(), Rules.of(Profile.V0_17), stage.rig.now());
            dry.forEach(snapshot::configure);
            assertThat(Forecast.of(snapshot, List.of(job(stage, "a", 8))))
                    .extracting(Outcome::fate)
                    .containsExactly(Fate.ADMITTED);
        }
    }

    @Test
    void nothingIsChanged() {
        try (var stage = Stage.standard().seed().job("runs", 20)) {
            var before = stage.rig.cluster().list(Kinds.WORKLOAD, "");
            forecast(stage, job(stage, "a", 4), job(stage, "b", 40));
            assertThat(stage.rig.cluster().list(Kinds.WORKLOAD, "")).isEqualTo(before);
            assertThat(stage.rig.cluster().list(Kinds.JOB, "")).hasSize(1);
        }
    }
}
