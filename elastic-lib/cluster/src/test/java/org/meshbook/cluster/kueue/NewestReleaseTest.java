package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.Rules;

/// What Kueue 0.19 does in another way than those before it.
final class NewestReleaseTest {
    private static Stage as(Profile profile) {
        return new Stage(Rules.of(profile), settings -> settings.withProfile(profile)).seed();
    }

    @Test
    @DisplayName("OV21: events are written through events.k8s.io")
    void eventsAreWrittenInTheNewForm() {
        for (var profile : new Profile[] {Profile.V0_17, Profile.V0_19}) {
            try (var stage = as(profile).jobSet("a", 3).jobSet("b", 1)) {
                var waits = stage.workload("b").uid();
                var event =
                        stage.rig.cluster().list(Kinds.EVENT, "").stream()
                                .filter(e -> e.text("involvedObject", "uid").equals(waits))
                                .filter(e -> e.text("reason").equals("Pending"))
                                .findFirst()
                                .orElseThrow();
                if (profile == Profile.V0_19) {
                    assertThat(event.text("eventTime")).isEqualTo("2026-12-01T00:00:00.000000Z");
                    assertThat(event.text("action")).isEqualTo("Pending");
                    assertThat(event.text("reportingComponent")).isEqualTo("kueue-admission");
                    assertThat(event.text("reportingInstance")).startsWith("kueue-admission-");
                    assertThat(event.text("firstTimestamp", "lastTimestamp")).isEmpty();
                    assertThat(event.text("source", "component")).isEmpty();
                    assertThat(event.at("count").isMissingNode()).isTrue();
                } else {
                    assertThat(event.at("count").asInt()).isEqualTo(1);
                    assertThat(event.text("source", "component")).isEqualTo("kueue-admission");
                    assertThat(event.text("eventTime")).isEmpty();
                }
            }
        }
    }

    private static Resource ray(Stage stage, String more) {
        stage.rig.create(
                """
                {apiVersion: 'ray.io/v1', kind: 'RayJob',
                 metadata: {name: 'r', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'}},
                 spec: {shutdownAfterJobFinishes: true%s, rayClusterSpec: {
                   headGroupSpec: {rayStartParams: {}, template: {spec: {containers: [{name: 'h', image: 'i'}]}}}}}}
                """
                        .formatted(more));
        stage.rig.settle();
        return stage.workload(Kinds.RAY_JOB, "r");
    }

    @Test
    @DisplayName("OV25: a submitter beside the head counts with the head")
    void submitterBesideTheHeadCounts() {
        for (var profile : new Profile[] {Profile.V0_17, Profile.V0_19}) {
            try (var stage = as(profile)) {
                var podSets = ray(stage, ", submissionMode: 'SidecarMode'").list("spec", "podSets");
                assertThat(podSets).hasSize(1);
                var requests = PodRequests.of(podSets.getFirst().path("template").path("spec"));
                assertThat(requests.getOrDefault("cpu", 0L))
                        .isEqualTo(profile == Profile.V0_19 ? 500L : 0L);
            }
        }
    }

    @Test
    @DisplayName("OV26: ten pod sets instead of eight")
    void workloadHasTenPodSets() {
        var nine =
                IntStream.range(0, 9)
                        .mapToObj(
                                i ->
                                        "{name: 'j%d', replicas: 1, template: {spec: {template: {spec: {containers: [{name: 'c', image: 'i'}]}}}}}"
                                                .formatted(i))
                        .collect(Collectors.joining(", "));
        for (var profile : new Profile[] {Profile.V0_17, Profile.V0_19}) {
            try (var stage = as(profile)) {
                stage.rig.create(
                        """
                        {apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet',
                         metadata: {name: 'js', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'}},
                         spec: {replicatedJobs: [%s]}}
                        """
                                .formatted(nine));
                stage.rig.settle();
                assertThat(stage.rig.cluster().list(Kinds.WORKLOAD, ""))
                        .hasSize(profile == Profile.V0_19 ? 1 : 0);
                assertThat(stage.runs("js")).isEqualTo(profile == Profile.V0_19);
            }
        }
    }
}
