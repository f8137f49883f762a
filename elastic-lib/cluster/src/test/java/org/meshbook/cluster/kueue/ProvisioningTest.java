package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.outlook.Why;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.JsonNode;

/// The admission check that asks for nodes; an autoscaler is played by the test.
final class ProvisioningTest {
    private static Stage dws(Profile profile, int chips, int base) {
        var stage = Stage.as(profile);
        stage.rig.create(
                """
                {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ProvisioningRequestConfig',
                 metadata: {name: 'dws-config'},
                 spec: {provisioningClassName: 'queued-provisioning.gke.io',
                   managedResources: ['google.com/tpu'],
                   retryStrategy: {backoffLimitCount: 3, backoffBaseSeconds: %d}}}
                """
                        .formatted(base));
        stage.rig.create(
                """
                {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'AdmissionCheck',
                 metadata: {name: 'dws-prov'},
                 spec: {controllerName: 'kueue.x-k8s.io/provisioning-request',
                   parameters: {apiGroup: 'kueue.x-k8s.io', kind: 'ProvisioningRequestConfig',
                     name: 'dws-config'}}}
                """);
        stage.flavor("on-demand").flavor("dws");
        stage.queue(
                "cluster-queue",
                "admissionChecksStrategy: {admissionChecks: [{name: 'dws-prov', onFlavors:"
                        + " ['dws']}]}",
                Stage.quota("on-demand", 4) + "," + Stage.quota("dws", chips));
        stage.local("multislice-queue", "cluster-queue");
        stage.rig.settle();
        return stage;
    }

    private static Stage waiting(Profile profile, int base) {
        var stage = dws(profile, 1000, base);
        stage.job("small", 4);
        return stage.job("big", 8);
    }

    private static Resource workload(Stage stage) {
        return stage.workload(Kinds.JOB, "big");
    }

    private static JsonNode check(Stage stage) {
        return workload(stage).list("status", "admissionChecks").getFirst();
    }

    private static List<String> requests(Stage stage) {
        return stage.rig.cluster().list(Kinds.PROVISIONING_REQUEST, "default").stream()
                .map(Resource::name)
                .toList();
    }

    private static void answer(Stage stage, int attempt, String type, boolean good, String text) {
        var name = workload(stage).name() + "-dws-prov-" + attempt;
        stage.status(
                Kinds.PROVISIONING_REQUEST,
                name,
                json -> Conditions.put(json, type, good, "R", text, stage.rig.now()));
    }

    private static boolean suspended(Stage stage, String job) {
        return stage.rig.at(Kinds.JOB, job).at("spec", "suspend").asBoolean(false);
    }

    @Test
    @DisplayName("A11: the check is asked only for its flavor")
    void onlyTheFlavorWithTheCheckWaitsForIt() {
        try (var stage = waiting(Profile.V0_17, 60)) {
            assertThat(stage.workload(Kinds.JOB, "small").is("Admitted")).isTrue();
            assertThat(suspended(stage, "small")).isFalse();
            assertThat(workload(stage).is("QuotaReserved")).isTrue();
            assertThat(workload(stage).is("Admitted")).isFalse();
            assertThat(check(stage).path("state").asString()).isEqualTo("Pending");
            assertThat(requests(stage)).containsExactly(workload(stage).name() + "-dws-prov-1");
            var request = stage.rig.at(Kinds.PROVISIONING_REQUEST, requests(stage).getFirst());
            assertThat(request.text("spec", "provisioningClassName"))
                    .isEqualTo("queued-provisioning.gke.io");
            var template = request.list("spec", "podSets").getFirst();
            assertThat(template.path("podTemplateRef").path("name").asString())
                    .isEqualTo("ppt-" + request.name() + "-main");
            assertThat(stage.rig.cluster().list(Kinds.POD_TEMPLATE, "default")).hasSize(1);
        }
    }

    @Test
    @DisplayName("OD8: what the provider says shows in the check")
    void theProvidersWordsShowInTheCheck() {
        try (var stage = waiting(Profile.V0_17, 60)) {
            answer(stage, 1, "Accepted", true, "accepted");
            assertThat(check(stage).path("message").asString()).isEmpty();
            answer(stage, 1, "Provisioned", false, "waiting for capacity, ETA 5m");
            assertThat(check(stage).path("state").asString()).isEqualTo("Pending");
            assertThat(check(stage).path("message").asString())
                    .isEqualTo("waiting for capacity, ETA 5m");
            assertThat(stage.events(stage.rig.at(Kinds.JOB, "big")))
                    .contains("UpdatedAdmissionCheck: dws-prov: waiting for capacity, ETA 5m");
            answer(stage, 1, "Provisioned", true, "granted");
            assertThat(workload(stage).is("Admitted")).isTrue();
            assertThat(stage.events(workload(stage)))
                    .contains(
                            "AdmissionCheckUpdated: Admission check dws-prov updated state from"
                                    + " Pending to Ready with message: granted");
            assertThat(
                            stage.rig
                                    .at(Kinds.JOB, "big")
                                    .text(
                                            "spec",
                                            "template",
                                            "metadata",
                                            "annotations",
                                            "autoscaling.x-k8s.io/consume-provisioning-request"))
                    .isEqualTo(requests(stage).getFirst());
        }
    }

    @Test
    @DisplayName("OD6, OD7, ON8, OV2: back-off counts from Pending and keeps the quota")
    void theQuotaIsKeptUntilTheBackOffIsOver() {
        try (var stage = waiting(Profile.V0_17, 15)) {
            stage.seconds(2);
            answer(stage, 1, "Failed", true, "no capacity in zone");
            assertThat(check(stage).path("state").asString()).isEqualTo("Retry");
            assertThat(check(stage).path("message").asString())
                    .isEqualTo("Retrying after failure: no capacity in zone");
            assertThat(check(stage).path("retryCount").asInt()).isEqualTo(1);
            assertThat(check(stage).path("requeueAfterSeconds").asInt()).isEqualTo(15);
            assertThat(workload(stage).is("QuotaReserved")).isTrue();
            assertThat(workload(stage).is("Evicted")).isFalse();
            assertThat(workload(stage).text("status", "requeueState", "requeueAt"))
                    .isEqualTo(Conditions.stamp(stage.rig.now().plusSeconds(13)));
            stage.after(Duration.ofMillis(12_999));
            assertThat(requests(stage)).containsExactly(workload(stage).name() + "-dws-prov-1");
            stage.after(Duration.ofMillis(300));
            assertThat(requests(stage)).containsExactly(workload(stage).name() + "-dws-prov-2");
            assertThat(Stage.condition(workload(stage), "Requeued"))
                    .isEqualTo("True BackoffFinished The workload backoff was finished");
            assertThat(Stage.condition(workload(stage), "Evicted"))
                    .isEqualTo(
                            "False QuotaReserved Previously: At least one admission check is"
                                    + " false");
            assertThat(check(stage).path("message").asString())
                    .isEqualTo("Retrying after failure: no capacity in zone");
        }
    }

    @Test
    @DisplayName("OD6: who fails late does not wait at all")
    void aRequestThatFailsLateIsFollowedByTheNextAtOnce() {
        try (var stage = waiting(Profile.V0_17, 15)) {
            stage.seconds(20);
            answer(stage, 1, "Failed", true, "no capacity");
            stage.after(Duration.ofMillis(300));
            assertThat(requests(stage)).containsExactly(workload(stage).name() + "-dws-prov-2");
        }
    }

    @Test
    @DisplayName("OV2: 0.14 evicts at once and counts from the failure")
    void theOldProfileGivesTheQuotaBackAtOnce() {
        try (var stage = waiting(Profile.V0_14, 60)) {
            stage.seconds(10);
            answer(stage, 1, "Failed", true, "no capacity");
            assertThat(workload(stage).is("QuotaReserved")).isFalse();
            assertThat(check(stage).has("retryCount")).isFalse();
            assertThat(workload(stage).at("status", "requeueState", "count").asInt()).isEqualTo(1);
            stage.seconds(59);
            assertThat(requests(stage)).hasSize(1);
            stage.seconds(1);
            assertThat(requests(stage)).containsExactly(workload(stage).name() + "-dws-prov-2");
        }
    }

    @Test
    @DisplayName("A12, A13, OT11, OV3, OV14, OV15: the fourth failure is the last")
    void afterThreeRetriesTheWorkloadIsDeactivated() {
        for (var profile : Profile.values()) {
            try (var stage = waiting(profile, 60)) {
                var waits = new int[] {60, 120, 240};
                for (int attempt = 1; attempt <= 3; attempt++) {
                    answer(stage, attempt, "Failed", true, "no capacity in zone");
                    stage.seconds(waits[attempt - 1] - 3);
                    assertThat(requests(stage))
                            .hasSize(1)
                            .first()
                            .asString()
                            .endsWith("-" + attempt);
                    stage.seconds(4);
                    assertThat(requests(stage)).first().asString().endsWith("-" + (attempt + 1));
                }
                answer(stage, 4, "Failed", true, "no capacity in zone");
                stage.seconds(1);
                var workload = workload(stage);
                boolean newest = profile == Profile.V0_19;
                assertThat(check(stage).path("state").asString()).isEqualTo("Pending");
                assertThat(workload.at("spec", "active").asBoolean(true)).isFalse();
                var told =
                        newest
                                ? "AdmissionCheck in Rejected state: \"dws-prov\" (no capacity in"
                                        + " zone)"
                                : "Admission check(s): dws-prov, were rejected";
                assertThat(Writer.message(workload, "Evicted"))
                        .isEqualTo("The workload is deactivated due to " + told);
                assertThat(Writer.reason(workload, "Evicted"))
                        .isEqualTo("DeactivatedDueToAdmissionCheck");
                assertThat(stage.events(workload))
                        .contains(
                                "EvictedDueToDeactivatedDueToAdmissionCheck: The workload is"
                                        + " deactivated due to "
                                        + told,
                                newest
                                        ? "AdmissionCheckRejected: Deactivated due to " + told
                                        : "AdmissionCheckRejected: Deactivating workload because"
                                                + " AdmissionCheck for dws-prov was Rejected: no"
                                                + " capacity in zone");
                assertThat(requests(stage)).hasSize(newest ? 0 : 1);
            }
        }
    }

    @Test
    @DisplayName("OV13, OV16: what is said of a check that is tried again")
    void textsOfACheckThatIsTriedAgain() {
        for (var profile : Profile.values()) {
            try (var stage = waiting(profile, 4)) {
                stage.seconds(1);
                answer(stage, 1, "Failed", true, "no capacity in zone");
                stage.seconds(5);
                boolean newest = profile == Profile.V0_19;
                assertThat(stage.events(workload(stage)))
                        .contains(
                                newest
                                        ? "EvictedDueToAdmissionCheck: Evicted due to"
                                                + " AdmissionCheck in Retry state: \"dws-prov\""
                                                + " (Retrying after failure: no capacity in zone)"
                                        : "EvictedDueToAdmissionCheck: At least one admission"
                                                + " check is false");
                assertThat(requests(stage)).first().asString().endsWith("-2");
                assertThat(check(stage).path("message").asString())
                        .isEqualTo(newest ? "" : "Retrying after failure: no capacity in zone");
                var told =
                        "UpdatedAdmissionCheck: dws-prov: Retrying after failure: no capacity in"
                                + " zone";
                var events = stage.events(stage.rig.at(Kinds.JOB, "big"));
                assertThat(events.contains(told)).isEqualTo(!newest);
            }
        }
    }

    @Test
    @DisplayName("A14: an expired booking matters only before admission")
    void anExpiredBookingIsIgnoredOnceAdmitted() {
        try (var stage = waiting(Profile.V0_17, 60)) {
            answer(stage, 1, "Provisioned", true, "granted");
            answer(stage, 1, "BookingExpired", true, "expired");
            assertThat(workload(stage).is("Admitted")).isTrue();
            assertThat(workload(stage).is("Evicted")).isFalse();
        }
        try (var stage = waiting(Profile.V0_17, 60)) {
            answer(stage, 1, "BookingExpired", true, "expired");
            assertThat(check(stage).path("state").asString()).isEqualTo("Retry");
        }
    }

    @Test
    void revokedCapacityEndsARunningWorkload() {
        try (var stage = waiting(Profile.V0_17, 60)) {
            answer(stage, 1, "Provisioned", true, "granted");
            answer(stage, 1, "CapacityRevoked", true, "lease over");
            assertThat(workload(stage).at("spec", "active").asBoolean(true)).isFalse();
            assertThat(suspended(stage, "big")).isTrue();
        }
    }

    @Test
    @DisplayName("KQ014: a queue whose check is missing")
    void aQueueWithAMissingCheckIsInactive() {
        try (var stage = Stage.standard()) {
            stage.seed("admissionChecksStrategy: {admissionChecks: [{name: 'dws-prov'}]}");
            assertThat(
                            Stage.condition(
                                    stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue"), "Active"))
                    .isEqualTo(
                            "False AdmissionCheckNotFound Can't admit new workloads: references"
                                    + " missing AdmissionCheck(s): dws-prov.");
        }
    }

    private static String why(Stage stage) {
        var snapshot = Snapshot.of(stage.rig.cluster(), Rules.of(Profile.V0_17), stage.rig.now());
        return Why.of(stage.rig.cluster(), snapshot, stage.rig.at(Kinds.JOB, "big")).stream()
                .map(cause -> cause.code().word() + ": " + cause.text())
                .collect(Collectors.joining("\n"));
    }

    @Test
    @DisplayName("scenario 67: nodes that never come")
    void howLongThereIsNoCapacityIsToldAndWhatWasTried() {
        try (var stage = waiting(Profile.V0_17, 60)) {
            answer(stage, 1, "Accepted", true, "accepted");
            answer(stage, 1, "Provisioned", false, "waiting for capacity, ETA 5m");
            stage.seconds(600);
            assertThat(why(stage))
                    .startsWith("check-pending: big has its quota and waits for check 'dws-prov'")
                    .contains("no-capacity: no capacity for 10m; flavors tried: ")
                    .contains("on-demand(")
                    .contains("(has dws)")
                    .contains("the provider says: waiting for capacity, ETA 5m")
                    .contains("%delete job big frees its quota");
        }
    }

    @Test
    @DisplayName("scenario 38: the provider has no pool any more")
    void aRequestWithoutAPoolSaysSinceWhenAndWhatToDo() {
        try (var stage = waiting(Profile.V0_17, 60)) {
            answer(stage, 1, "Accepted", true, "accepted");
            stage.status(
                    Kinds.PROVISIONING_REQUEST,
                    workload(stage).name() + "-dws-prov-1",
                    json ->
                            Conditions.put(
                                    json,
                                    "Provisioned",
                                    false,
                                    "NoNodePool",
                                    "the provider has no node pool \"dws\" for this request; add"
                                            + " it, or delete the request",
                                    stage.rig.now()));
            stage.seconds(300);
            assertThat(why(stage))
                    .contains("is not granted since 5m: the provider has no node pool \"dws\"");
        }
    }
}
