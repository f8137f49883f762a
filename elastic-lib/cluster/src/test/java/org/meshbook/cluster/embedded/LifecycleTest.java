package org.meshbook.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.node.ObjectNode;

/// How objects come and go.
class LifecycleTest {
    private final Rig rig = Rig.with(_ -> List.of());
    private final EmbeddedCluster cluster = rig.cluster();

    @Test
    void whoMakesANodeSaysWhatItHas() {
        try (var rig = Rig.with(_ -> List.of())) {
            var node =
                    rig.create(
                            """
                            {apiVersion: v1, kind: Node, metadata: {name: one},
                             status: {capacity: {cpu: '4'}}}
                            """);
            assertThat(node.text("status", "capacity", "cpu")).isEqualTo("4");
        }
    }

    @Test
    void onlyAChangeOfTheSpecRaisesTheGeneration() {
        var job = create(Kinds.JOB, "a");
        assertThat(job.generation()).isEqualTo(1);
        assertThat(job.text("metadata", "creationTimestamp")).isEqualTo("2026-12-01T00:00:00Z");

        var labelled =
                update(job.with(j -> j.withObject("metadata").withObject("labels").put("x", "y")));
        assertThat(labelled.generation()).isEqualTo(1);
        var changed = update(labelled.with(j -> j.withObject("spec").put("suspend", true)));
        assertThat(changed.generation()).isEqualTo(2);

        var reported =
                cluster.updateStatus(
                        changed.with(
                                j -> {
                                    j.withObject("status").put("active", 1);
                                    j.withObject("spec").put("suspend", false);
                                }));
        assertThat(reported.generation()).isEqualTo(2);
        assertThat(reported.at("spec", "suspend").asBoolean()).isTrue();
        assertThat(reported.resourceVersion()).isGreaterThan(changed.resourceVersion());
    }

    @Test
    void aWriteThatChangesNothingIsNoChange() {
        var job = create(Kinds.JOB, "a");
        assertThat(update(job).resourceVersion()).isEqualTo(job.resourceVersion());
    }

    @Test
    void whoReadBeforeSomebodyElseWroteIsRefused() {
        var job = create(Kinds.JOB, "a");
        update(job.with(j -> j.withObject("spec").put("suspend", true)));
        assertThatThrownBy(() -> update(job.with(j -> j.withObject("spec").put("backoffLimit", 1))))
                .hasMessage(
                        "Operation cannot be fulfilled on jobs.batch \"a\": the object has been"
                                + " modified; please apply your changes to the latest version and"
                                + " try again");
        assertThatThrownBy(() -> create(Kinds.JOB, "a"))
                .hasMessage("jobs.batch \"a\" already exists");
    }

    @Test
    void aNamespaceMustExistAndTakesAllThatIsInItAlong() {
        assertThatThrownBy(() -> cluster.create(made(Kinds.JOB, "team", "a"), WriteOptions.PLAIN))
                .hasMessage("namespaces \"team\" not found");
        create(Kinds.NAMESPACE, "team");
        var held =
                cluster.create(
                        made(Kinds.JOB, "team", "a").with(j -> finalizer(j, "x/hold")),
                        WriteOptions.PLAIN);
        var space = Kinds.NAMESPACE.key("", "team");
        cluster.delete(space, Propagation.BACKGROUND);
        assertThat(cluster.find(space).orElseThrow().text("status", "phase"))
                .isEqualTo("Terminating");
        assertThatThrownBy(() -> cluster.create(made(Kinds.JOB, "team", "b"), WriteOptions.PLAIN))
                .hasMessageContaining("because it is being terminated");
        update(cluster.find(held.key()).orElseThrow().with(LifecycleTest::letGo));
        assertThat(cluster.find(space)).isEmpty();
    }

    @Test
    void whatLosesItsOwnerGoesToo() {
        var set = create(Kinds.JOB_SET, "set");
        var job = create(owned(Kinds.JOB, "job", set));
        var pod = create(owned(Kinds.POD, "pod", job));
        cluster.delete(set.key(), Propagation.BACKGROUND);
        assertThat(cluster.find(job.key())).isEmpty();
        assertThat(cluster.find(pod.key())).isEmpty();
    }

    @Test
    void anOwnerDeletedInTheForegroundWaits() {
        var job = create(Kinds.JOB, "job");
        var pod = create(owned(Kinds.POD, "pod", job).with(j -> finalizer(j, "x/hold")));
        cluster.delete(job.key(), Propagation.FOREGROUND);
        assertThat(cluster.find(job.key()).orElseThrow().deleting()).isTrue();
        assertThat(cluster.find(pod.key()).orElseThrow().deleting()).isTrue();
        update(cluster.find(pod.key()).orElseThrow().with(LifecycleTest::letGo));
        assertThat(cluster.find(job.key())).isEmpty();
    }

    @Test
    void orphansStay() {
        var job = create(Kinds.JOB, "job");
        var pod = create(owned(Kinds.POD, "pod", job));
        cluster.delete(job.key(), Propagation.ORPHAN);
        assertThat(cluster.find(pod.key()).orElseThrow().owners()).isEmpty();
    }

    @Test
    void aRunningPodIsMarkedAndItsNodeTakesItAway() {
        var pod = create(made(Kinds.POD, "default", "p").with(j -> bound(j, 20)));
        cluster.delete(pod.key(), Propagation.BACKGROUND);
        var marked = cluster.find(pod.key()).orElseThrow();
        assertThat(marked.text("metadata", "deletionTimestamp")).isEqualTo("2026-12-01T00:00:20Z");
        cluster.remove(pod.key());
        assertThat(cluster.find(pod.key())).isEmpty();
    }

    @Test
    void aWatchHearsWhatIsThereAndThenEachChangeInOrder() {
        create(Kinds.JOB, "a");
        var heard = new ArrayList<String>();
        try (var _ = cluster.watch(Kinds.JOB, e -> heard.add(text(e)))) {
            var b = create(Kinds.JOB, "b");
            update(b.with(j -> j.withObject("spec").put("suspend", true)));
            cluster.delete(b.key(), Propagation.BACKGROUND);
        }
        create(Kinds.JOB, "c");
        assertThat(heard).containsExactly("ADDED a", "ADDED b", "MODIFIED b", "DELETED b");
    }

    private static String text(WatchEvent event) {
        return event.type() + " " + event.object().name();
    }

    private Resource create(ResourceKind kind, String name) {
        return create(made(kind, "default", name));
    }

    private static Resource made(ResourceKind kind, String namespace, String name) {
        var spec =
                switch (kind.kind()) {
                    case "Job" ->
                            "spec: {template: {spec: {restartPolicy: Never, containers: [{name: c,"
                                    + " image: i}]}}}";
                    case "Pod" -> "spec: {containers: [{name: c, image: i}]}";
                    default -> "";
                };
        return Rig.parse(
                """
                apiVersion: %s
                kind: %s
                metadata: {name: %s, namespace: %s}
                %s
                """
                        .formatted(kind.apiVersion(), kind.kind(), name, namespace, spec));
    }

    private Resource create(Resource object) {
        return cluster.create(object, WriteOptions.PLAIN);
    }

    private Resource update(Resource object) {
        return cluster.update(object, WriteOptions.PLAIN);
    }

    private static Resource owned(ResourceKind kind, String name, Resource owner) {
        return made(kind, owner.namespace(), name).with(json -> Owners.put(json, owner));
    }

    private static void finalizer(ObjectNode json, String name) {
        json.withObject("metadata").putArray("finalizers").add(name);
    }

    private static void letGo(ObjectNode json) {
        json.withObject("metadata").remove("finalizers");
    }

    private static void bound(ObjectNode json, int graceSeconds) {
        json.withObject("spec")
                .put("nodeName", "n")
                .put("terminationGracePeriodSeconds", graceSeconds);
    }
}
