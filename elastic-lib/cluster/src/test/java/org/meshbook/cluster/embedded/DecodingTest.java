package org.meshbook.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.Validation;

/// What a request may bring: unknown fields, old versions, values that do not fit.
class DecodingTest {
    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta1
            kind: ClusterQueue
            metadata: {name: tpu-training-cq}
            spec:
              cohort: team
              namespaceSelector: {}
              preemption:
                reclaimOutOfCohort: {enable: true}
                withinClusterQueue: LowerPriority
              resourceGroups:
              - coveredResources: ["google.com/tpu"]
                flavors: [{name: v5, resources: [{name: google.com/tpu, nominalQuota: 8}]}]
            """;

    private final List<String> warnings = new ArrayList<>();

    @Test
    void unknownFieldsAreRefusedWarnedOfOrLeftOutInSilence() {
        assertThatThrownBy(() -> create(Profile.V0_17, QUEUE, Validation.STRICT))
                .hasMessage(
                        "ClusterQueue in version \"v1beta1\" cannot be handled as a ClusterQueue:"
                                + " strict decoding error: unknown field"
                                + " \"spec.preemption.reclaimOutOfCohort\"");
        warnings.clear();
        create(Profile.V0_17, QUEUE, Validation.WARN);
        assertThat(warnings)
                .containsExactly(
                        "This version is deprecated. Use v1beta2 instead.",
                        "unknown field \"spec.preemption.reclaimOutOfCohort\"");
        warnings.clear();
        var stored = create(Profile.V0_14, QUEUE, Validation.IGNORE);
        assertThat(warnings).isEmpty();
        assertThat(stored.at("spec", "preemption").has("reclaimOutOfCohort")).isFalse();
    }

    @Test
    void defaultsOfTheProfileAreFilledIn() {
        var old = create(Profile.V0_14, QUEUE, Validation.IGNORE);
        assertThat(old.text("spec", "flavorFungibility", "whenCanBorrow")).isEqualTo("Borrow");
        assertThat(old.text("spec", "queueingStrategy")).isEqualTo("BestEffortFIFO");
        var now = create(Profile.V0_17, QUEUE, Validation.IGNORE);
        assertThat(now.text("spec", "flavorFungibility", "whenCanBorrow"))
                .isEqualTo("MayStopSearch");
    }

    @Test
    void anOldVersionIsKeptAsTheNewOneAndShownAsAskedFor() {
        var cluster = open(Profile.V0_17);
        cluster.create(Rig.parse(QUEUE), WriteOptions.PLAIN);
        var key = Kinds.CLUSTER_QUEUE.key("", "tpu-training-cq");
        var kept = cluster.find(key).orElseThrow();
        assertThat(kept.text("apiVersion")).isEqualTo("kueue.x-k8s.io/v1beta2");
        assertThat(kept.text("spec", "cohortName")).isEqualTo("team");
        var shown = cluster.find(Kinds.CLUSTER_QUEUE.in("v1beta1").key("", "tpu-training-cq"));
        assertThat(shown.orElseThrow().text("spec", "cohort")).isEqualTo("team");
    }

    @Test
    void aProfileServesItsOwnVersionsAndWords() {
        var newer = QUEUE.replace("v1beta1", "v1beta2").replace("cohort:", "cohortName:");
        assertThatThrownBy(() -> create(Profile.V0_14, newer, Validation.STRICT))
                .hasMessage(
                        "no matches for kind \"ClusterQueue\" in version"
                                + " \"kueue.x-k8s.io/v1beta2\"");
        var stop = QUEUE + "  flavorFungibility: {whenCanPreempt: MayStopSearch}\n";
        assertThatThrownBy(() -> create(Profile.V0_14, stop, Validation.IGNORE))
                .hasMessageContaining(
                        "spec.flavorFungibility.whenCanPreempt: Unsupported value:"
                                + " \"MayStopSearch\": supported values: \"Preempt\","
                                + " \"TryNextFlavor\"");
        create(Profile.V0_17, stop, Validation.IGNORE);
    }

    @Test
    void aNullWhereAListBelongsStopsTheRulesToo() {
        var covered = QUEUE.replace("[\"google.com/tpu\"]", "null");
        assertThatThrownBy(() -> create(Profile.V0_17, covered, Validation.IGNORE))
                .hasMessage(
                        "ClusterQueue.kueue.x-k8s.io \"tpu-training-cq\" is invalid:"
                                + " [spec.resourceGroups[0].coveredResources: Invalid value: \"null\":"
                                + " spec.resourceGroups[0].coveredResources in body must be of type"
                                + " array: \"null\", <nil>: Invalid value: null: some validation rules"
                                + " were not checked because the object was invalid; correct the"
                                + " existing errors to complete validation]");
    }

    @Test
    void rulesInCelAreHeld() {
        var lonely =
                QUEUE.replace("  cohort: team\n", "")
                        .replace("Quota: 8", "Quota: 8, borrowingLimit: 4");
        assertThatThrownBy(() -> create(Profile.V0_17, lonely, Validation.IGNORE))
                .hasMessageContaining(
                        "spec: Invalid value: \"object\": borrowingLimit must be nil when cohort is"
                                + " empty");
    }

    @Test
    void whatMayNotChangeIsHeldByARuleThatSeesTheOldValue() {
        var cluster = open(Profile.V0_17);
        var queue =
                cluster.create(
                        Rig.parse(
                                """
                                apiVersion: kueue.x-k8s.io/v1beta2
                                kind: LocalQueue
                                metadata: {name: user-queue}
                                spec: {clusterQueue: one}
                                """),
                        WriteOptions.PLAIN);
        var moved = queue.with(j -> j.withObjectProperty("spec").put("clusterQueue", "two"));
        assertThatThrownBy(() -> cluster.update(moved, WriteOptions.PLAIN))
                .hasMessage(
                        "LocalQueue.kueue.x-k8s.io \"user-queue\" is invalid: spec.clusterQueue:"
                                + " Invalid value: \"string\": field is immutable");
    }

    @Test
    void aLabelThatYamlTakesForABooleanIsNoText() {
        var map =
                Rig.parse(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, labels: {a: yes}}}");
        assertThatThrownBy(() -> open(Profile.V0_17).create(map, WriteOptions.PLAIN))
                .hasMessage(
                        "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot"
                                + " unmarshal bool into Go struct field ObjectMeta.metadata.labels of"
                                + " type string");
    }

    @Test
    void aNameWithAPlaceholderIsNoName() {
        var job = Resource.named(Kinds.RAY_JOB, "default", "rayjob-tpu-v6e-dws-${JOB_ID}");
        assertThatThrownBy(() -> open(Profile.V0_17).create(job, WriteOptions.PLAIN))
                .hasMessageContaining(
                        "metadata.name: Invalid value: \"rayjob-tpu-v6e-dws-${JOB_ID}\": a"
                                + " lowercase RFC 1123 subdomain must consist of lower case"
                                + " alphanumeric characters, '-' or '.', and must start and end with an"
                                + " alphanumeric character (e.g. 'example.com', regex used for"
                                + " validation is"
                                + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    }

    @Test
    void aJobMustSayWhenItsPodsStartAgain() {
        var job =
                Rig.parse(
                        """
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: j}
                        spec: {template: {spec: {containers: [{name: c, image: i}]}}}
                        """);
        assertThatThrownBy(() -> open(Profile.V0_17).create(job, WriteOptions.PLAIN))
                .hasMessage(
                        "Job.batch \"j\" is invalid: spec.template.spec.restartPolicy: Required"
                                + " value: valid values: \"OnFailure\", \"Never\"");
    }

    private Resource create(Profile profile, String yaml, Validation validation) {
        var options = new WriteOptions(validation, false, warnings::add);
        return open(profile).create(Rig.parse(yaml), options);
    }

    private static EmbeddedCluster open(Profile profile) {
        return EmbeddedCluster.open(Settings.defaults().withProfile(profile));
    }
}
