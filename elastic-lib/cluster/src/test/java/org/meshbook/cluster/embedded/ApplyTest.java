package org.meshbook.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Validation;
import tools.jackson.databind.node.ObjectNode;

/// Applying, hooks, dry runs and watches that go on.
class ApplyTest {
    private static final WriteOptions STRICT = new WriteOptions(Validation.STRICT, false, _ -> {});
    private static final String MAP =
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: m, labels: {a: x, b: z}}
            data: {one: "1", two: "2"}
            """;

    private final Rig rig = Rig.with(_ -> List.of());
    private final EmbeddedCluster cluster = rig.cluster();

    @Test
    void whatIsNotWrittenAnyMoreGoesAndWhatOthersWroteStays() {
        cluster.apply(Rig.parse(MAP), STRICT);
        var others = rig.at(Kinds.CONFIG_MAP, "m").with(j -> data(j).put("three", "3"));
        cluster.update(others, STRICT);
        var now =
                cluster.apply(
                        Rig.parse(MAP.replace(", two: \"2\"", "").replace("a: x, ", "")), STRICT);
        assertThat(now.texts("data")).containsOnlyKeys("one", "three");
        assertThat(now.labels()).containsOnlyKeys("b");
    }

    @Test
    void theSameAgainChangesNothing() {
        var first = cluster.apply(Rig.parse(MAP), STRICT);
        assertThat(cluster.apply(Rig.parse(MAP), STRICT).resourceVersion())
                .isEqualTo(first.resourceVersion());
    }

    @Test
    void whatAnotherManagerOwnsIsChangedOnlyByForce() {
        cluster.applyServerSide(Rig.parse(MAP), "kubectl", false, STRICT);
        var other = Rig.parse(MAP.replace("one: \"1\"", "one: \"9\"").replace(", two: \"2\"", ""));
        assertThatThrownBy(() -> cluster.applyServerSide(other, "robot", false, STRICT))
                .hasMessage(
                        "Apply failed with 1 conflict: conflict with \"kubectl\" using v1:"
                                + " .data.one")
                .extracting(e -> ((ApiException) e).reason())
                .isEqualTo("Conflict");
        var forced = cluster.applyServerSide(other, "robot", true, STRICT);
        assertThat(forced.texts("data")).containsEntry("one", "9").containsEntry("two", "2");
    }

    @Test
    void aManagerThatWritesAFieldNoMoreTakesItOutUnlessAnotherOwnsIt() {
        cluster.applyServerSide(Rig.parse(MAP), "kubectl", false, STRICT);
        var less = Rig.parse(MAP.replace(", two: \"2\"", ""));
        cluster.applyServerSide(less, "robot", false, STRICT);
        var none = Rig.parse(MAP.replace("data: {one: \"1\", two: \"2\"}", ""));
        var left = cluster.applyServerSide(none, "kubectl", false, STRICT);
        assertThat(left.texts("data")).containsOnlyKeys("one");
    }

    @Test
    void itemsOfListsThatAreMapsAreMergedByTheirKeys() {
        var set =
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: s}
                spec:
                  replicatedJobs:
                  - name: slice
                    replicas: 2
                    template: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}
                """;
        var made = cluster.applyServerSide(Rig.parse(set), "kubectl", false, STRICT);
        cluster.update(
                made.with(
                        j ->
                                ((ObjectNode) j.at("/spec/replicatedJobs/0"))
                                        .put("groupName", "mine")),
                STRICT);
        var again = cluster.applyServerSide(Rig.parse(set), "kubectl", false, STRICT);
        assertThat(again.at("spec", "replicatedJobs").get(0).path("groupName").asString(""))
                .isEqualTo("mine");
    }

    @Test
    void aDryRunAnswersAndChangesNothing() {
        var dry = new WriteOptions(Validation.STRICT, true, _ -> {});
        assertThat(cluster.apply(Rig.parse(MAP), dry).uid()).isNotEmpty();
        assertThat(cluster.list(Kinds.CONFIG_MAP, "")).isEmpty();
    }

    @Test
    void aHookChangesOrRefuses() {
        var hooked =
                EmbeddedCluster.open(
                        Settings.defaults().withHooks(List.of(new Labels(), new No())));
        var map = hooked.create(Rig.parse(MAP), STRICT);
        assertThat(map.labels()).containsEntry("seen", "yes");
        assertThatThrownBy(
                        () ->
                                hooked.update(
                                        map.with(j -> data(j).put("one", "bad")),
                                        WriteOptions.PLAIN))
                .hasMessage(
                        "admission webhook \"vno.kb.io\" denied the request: [data.one: Invalid"
                                + " value: \"bad\": no, and no again]")
                .extracting(e -> ((ApiException) e).code())
                .isEqualTo(403);
    }

    @Test
    void aWatchGoesOnWhereItEndedUntilTooMuchIsForgotten() {
        var first = cluster.apply(Rig.parse(MAP), STRICT);
        var changed = cluster.update(first.with(j -> data(j).put("one", "2")), STRICT);
        var heard = new ArrayList<Long>();
        cluster.watch(
                        Kinds.CONFIG_MAP,
                        first.resourceVersion(),
                        e -> heard.add(e.object().resourceVersion()))
                .close();
        assertThat(heard).containsExactly(changed.resourceVersion());
        var map = changed;
        for (int i = 0; i < 1_001; i++) {
            var text = "n" + i;
            map = cluster.update(map.with(j -> data(j).put("one", text)), STRICT);
        }
        assertThatThrownBy(() -> cluster.watch(Kinds.CONFIG_MAP, first.resourceVersion(), _ -> {}))
                .hasMessageStartingWith("too old resource version: " + first.resourceVersion())
                .extracting(e -> ((ApiException) e).reason())
                .isEqualTo("Expired");
    }

    private static ObjectNode data(ObjectNode json) {
        return json.withObjectProperty("data");
    }

    private static final class Labels implements AdmissionHook {
        @Override
        public String name() {
            return "labels.kb.io";
        }

        @Override
        public Set<ResourceKind> kinds() {
            return Set.of(Kinds.CONFIG_MAP);
        }

        @Override
        public Resource mutate(Review review) {
            return review.object()
                    .with(
                            j ->
                                    j.withObjectProperty("metadata")
                                            .withObjectProperty("labels")
                                            .put("seen", "yes"));
        }
    }

    private static final class No implements AdmissionHook {
        @Override
        public String name() {
            return "no.kb.io";
        }

        @Override
        public Set<ResourceKind> kinds() {
            return Set.of(Kinds.CONFIG_MAP);
        }

        @Override
        public List<String> validate(Review review) {
            return review.object().text("data", "one").equals("bad")
                    ? List.of("data.one: Invalid value: \"bad\": no", "and no again")
                    : List.of();
        }
    }
}
