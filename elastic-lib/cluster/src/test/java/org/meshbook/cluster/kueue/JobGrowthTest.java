package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.Rules;

/// Jobs that become larger while they run, and what stands in their way.
final class JobGrowthTest {
    private static final Rules RULES = Rules.of(Profile.V0_17).withElasticSlices(true);

    private static void elastic(Stage stage, String more, int pods) {
        stage.rig.create(
                """
                {apiVersion: 'batch/v1', kind: 'Job',
                 metadata: {name: 'j', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'%s},
                   annotations: {'kueue.x-k8s.io/elastic-job': 'true'}},
                 spec: {parallelism: %d, completions: 100, template: {spec: {
                     restartPolicy: 'Never', containers: [{name: 'c', image: 'i', resources: {limits: {'google.com/tpu': '4'}}}]}}}}
                """
                        .formatted(more, pods));
        stage.rig.settle();
    }

    private static void scale(Stage stage, int pods) {
        stage.edit(
                Kinds.JOB, "j", json -> json.withObjectProperty("spec").put("parallelism", pods));
    }

    private static List<Resource> slices(Stage stage) {
        return stage.rig.cluster().ownedBy(stage.rig.at(Kinds.JOB, "j"), Kinds.WORKLOAD).stream()
                .filter(w -> !w.is("Finished"))
                .toList();
    }

    @Test
    @DisplayName("kueue#6969, #7013: growth drives a lower one out")
    void growthPreemptsLowerOnes() {
        try (var stage =
                new Stage(RULES).seed("preemption: {withinClusterQueue: 'LowerPriority'}")) {
            stage.workloadClass("high", 9);
            elastic(stage, ", 'kueue.x-k8s.io/priority-class': 'high'", 2);
            stage.jobSet("low", 2);
            assertThat(stage.runs("low")).isTrue();
            stage.seconds(1);

            scale(stage, 4);
            stage.seconds(1);

            assertThat(stage.runs("low")).isFalse();
            assertThat(Writer.reason(stage.workload("low"), "Evicted")).isEqualTo("Preempted");
            assertThat(slices(stage)).hasSize(1);
            assertThat(slices(stage).getFirst().is("Admitted")).isTrue();
            assertThat(
                            slices(stage)
                                    .getFirst()
                                    .list("spec", "podSets")
                                    .getFirst()
                                    .path("count")
                                    .asInt())
                    .isEqualTo(4);
            assertThat(stage.rig.at(Kinds.JOB, "j").at("spec", "suspend").asBoolean(true))
                    .isFalse();
        }
    }

    @Test
    @DisplayName("kueue#14129: the new slice starts the job though the old one was deleted")
    void newSliceDoesNotNeedTheOldOne() {
        try (var stage = new Stage(RULES).seed()) {
            elastic(stage, "", 2);
            stage.jobSet("other", 2).seconds(1);
            var old = slices(stage).getFirst();
            scale(stage, 5);
            assertThat(slices(stage)).hasSize(2);

            stage.rig.cluster().delete(old.key(), Propagation.BACKGROUND);
            stage.seconds(2);
            stage.finish("other").seconds(2);

            assertThat(slices(stage)).hasSize(1);
            assertThat(slices(stage).getFirst().is("Admitted")).isTrue();
            var job = stage.rig.at(Kinds.JOB, "j");
            assertThat(job.at("spec", "suspend").asBoolean(true)).isFalse();
            assertThat(job.at("spec", "parallelism").asInt()).isEqualTo(5);
        }
    }

    @Test
    @DisplayName("ON9: growth that is taken back while it waits leaves one slice of the old size")
    void growthThatIsTakenBackLeavesOneSlice() {
        try (var stage = new Stage(RULES).seed()) {
            elastic(stage, "", 2);
            stage.jobSet("other", 2).seconds(1);
            scale(stage, 5);
            assertThat(slices(stage)).hasSize(2);
            assertThat(stage.events(stage.rig.at(Kinds.JOB, "j")))
                    .as("what ran runs on")
                    .noneMatch(e -> e.startsWith("Stopped"));

            scale(stage, 2);
            stage.seconds(2);

            assertThat(slices(stage)).hasSize(1);
            assertThat(stage.rig.at(Kinds.JOB, "j").at("spec", "suspend").asBoolean(true))
                    .isFalse();
        }
    }
}
