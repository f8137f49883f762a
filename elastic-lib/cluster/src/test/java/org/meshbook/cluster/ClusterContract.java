package org.meshbook.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.embedded.Rig;

/// What every cluster does alike, wherever it is.
@Timeout(60)
public abstract class ClusterContract {
    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: user-queue, namespace: default}
            spec: {clusterQueue: one}
            """;

    /// @return a cluster with nothing in it
    protected abstract Cluster cluster();

    private static Resource map(String name) {
        return Resource.named(Kinds.CONFIG_MAP, "default", name);
    }

    private Resource create(Resource object) {
        return cluster().create(object, WriteOptions.PLAIN);
    }

    private static Resource with(Resource object, String key, String value) {
        return object.with(json -> json.withObjectProperty("data").put(key, value));
    }

    private Resource found(Resource object) {
        return cluster().find(object.key()).orElseThrow();
    }

    @Test
    void anObjectIsCreatedFoundAndListed() {
        create(Resource.named(Kinds.NAMESPACE, "", "other"));
        var b = create(with(map("b"), "k", "v"));
        var a = create(map("a"));
        var far = create(Resource.named(Kinds.CONFIG_MAP, "other", "a"));
        assertThat(b.uid()).isNotEmpty();
        assertThat(b.resourceVersion()).isPositive();
        assertThat(b.created()).isPresent();
        assertThat(found(b)).isEqualTo(b);
        assertThat(cluster().find(Kinds.CONFIG_MAP.key("default", "none"))).isEmpty();
        assertThat(cluster().list(Kinds.CONFIG_MAP, "default")).containsExactly(a, b);
        assertThat(cluster().list(Kinds.CONFIG_MAP, "")).containsExactly(a, b, far);
        assertThat(cluster().list(Kinds.POD, "")).isEmpty();
        assertThat(cluster().find(Kinds.NAMESPACE.key("", "other"))).isPresent();
    }

    @Test
    void aNameIsMadeIfOnlyItsBeginningIsGiven() {
        var wanted =
                map("x").with(
                                json ->
                                        json.putObject("metadata")
                                                .put("generateName", "made-")
                                                .put("namespace", "default"));
        assertThat(create(wanted).name()).matches("made-[a-z0-9]{5}");
    }

    @Test
    void whatIsRefusedIsRefusedInTheServersWords() {
        var made = create(map("one"));
        refused(
                () -> create(map("one")),
                409,
                "AlreadyExists",
                "configmaps \"one\" already exists");
        refused(
                () -> cluster().update(map("two"), WriteOptions.PLAIN),
                404,
                "NotFound",
                "configmaps \"two\" not found");
        refused(
                () -> cluster().delete(map("two").key(), Propagation.BACKGROUND),
                404,
                "NotFound",
                "configmaps \"two\" not found");
        refused(
                () -> create(Resource.named(Kinds.CONFIG_MAP, "nowhere", "x")),
                404,
                "NotFound",
                "namespaces \"nowhere\" not found");
        cluster().update(with(made, "a", "1"), WriteOptions.PLAIN);
        refused(
                () -> cluster().update(with(made, "a", "2"), WriteOptions.PLAIN),
                409,
                "Conflict",
                "Operation cannot be fulfilled on configmaps \"one\": the object has been modified;"
                        + " please apply your changes to the latest version and try again");
        assertThat(found(made).text("data", "a")).isEqualTo("1");
    }

    private static void refused(Runnable write, int code, String reason, String message) {
        var refusal = catchThrowableOfType(ApiException.class, write::run);
        assertThat(refusal).hasMessage(message);
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.reason()).isEqualTo(reason);
    }

    @Test
    void aRefusalNamesTheFieldsThatAreWrong() {
        create(Rig.parse(QUEUE));
        var moved =
                Rig.parse(QUEUE)
                        .with(json -> json.withObjectProperty("spec").put("clusterQueue", "two"));
        var refusal =
                catchThrowableOfType(
                        ApiException.class, () -> cluster().update(moved, WriteOptions.PLAIN));
        assertThat(refusal.code()).isEqualTo(422);
        assertThat(refusal.causes())
                .extracting(ApiException.Cause::field)
                .containsExactly("spec.clusterQueue");
        assertThat(refusal).hasMessageContaining("field is immutable");
    }

    @Test
    void unknownFieldsAreRefusedWarnedOfOrLeftOut() {
        var odd = Rig.parse(QUEUE).with(json -> json.withObjectProperty("spec").put("surplus", 1));
        var warnings = new ArrayList<String>();
        assertThatThrownBy(
                        () ->
                                cluster()
                                        .create(
                                                odd,
                                                new WriteOptions(
                                                        Validation.STRICT, false, warnings::add)))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("strict decoding error: unknown field \"spec.surplus\"");
        warnings.clear();
        cluster().create(odd, new WriteOptions(Validation.WARN, true, warnings::add));
        assertThat(warnings).containsExactly("unknown field \"spec.surplus\"");
        warnings.clear();
        var made = cluster().create(odd, new WriteOptions(Validation.IGNORE, false, warnings::add));
        assertThat(warnings).isEmpty();
        assertThat(made.at("spec", "surplus").isMissingNode()).isTrue();
    }

    @Test
    void aDryRunAnswersAndChangesNothing() {
        var dry = new WriteOptions(Validation.STRICT, true, _ -> {});
        assertThat(cluster().create(map("one"), dry).uid()).isNotEmpty();
        assertThat(cluster().list(Kinds.CONFIG_MAP, "default")).isEmpty();
        var made = create(map("one"));
        assertThat(cluster().update(with(made, "a", "1"), dry).text("data", "a")).isEqualTo("1");
        assertThat(found(made)).isEqualTo(made);
    }

    @Test
    void aStatusIsWrittenAlone() {
        var made = create(Rig.parse(QUEUE));
        var reported =
                cluster()
                        .updateStatus(
                                made.with(
                                        json -> {
                                            json.withObjectProperty("metadata")
                                                    .putObject("labels")
                                                    .put("a", "b");
                                            json.putObject("status").put("pendingWorkloads", 3);
                                        }));
        assertThat(reported.at("status", "pendingWorkloads").asInt()).isEqualTo(3);
        assertThat(reported.labels()).isEmpty();
        var changed =
                cluster()
                        .update(
                                reported.with(json -> json.putObject("status")),
                                WriteOptions.PLAIN);
        assertThat(changed.at("status", "pendingWorkloads").asInt()).isEqualTo(3);
    }

    @Test
    void whoReadsAgainAfterAConflictGetsEveryChangeIn() throws Exception {
        var made = create(map("one"));
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < 20; i++) {
                var key = "k" + i;
                all.add(writers.submit(() -> put(made, key)));
            }
            for (var each : all) {
                each.get(50, TimeUnit.SECONDS);
            }
        }
        assertThat(found(made).texts("data")).hasSize(20);
    }

    private void put(Resource object, String key) {
        while (true) {
            try {
                cluster().update(with(found(object), key, "v"), WriteOptions.PLAIN);
                return;
            } catch (ApiException refused) {
                if (!refused.conflicted()) {
                    throw refused;
                }
            }
        }
    }

    @Test
    void aWriteWithoutAVersionReplacesWhateverIsThere() {
        var made = create(map("one"));
        cluster().update(with(made, "a", "1"), WriteOptions.PLAIN);
        var after = cluster().update(with(map("one"), "b", "2"), WriteOptions.PLAIN);
        assertThat(after.texts("data")).hasSize(1).containsEntry("b", "2");
        assertThat(after.uid()).isEqualTo(made.uid());
    }

    @ParameterizedTest
    @CsvSource({"BACKGROUND, false", "FOREGROUND, false", "ORPHAN, true"})
    void whatBecomesOfOwnedObjectsIsAsAsked(Propagation propagation, boolean stays) {
        var owner = create(map("owner"));
        var owned =
                create(
                        map("owned")
                                .with(
                                        json ->
                                                json.withObjectProperty("metadata")
                                                        .putArray("ownerReferences")
                                                        .addObject()
                                                        .put("apiVersion", "v1")
                                                        .put("kind", "ConfigMap")
                                                        .put("name", "owner")
                                                        .put("uid", owner.uid())
                                                        .put("blockOwnerDeletion", true)));
        assertThat(cluster().ownedBy(owner, Kinds.CONFIG_MAP)).containsExactly(owned);
        cluster().delete(owner.key(), propagation);
        assertThat(cluster().find(owner.key())).isEmpty();
        assertThat(cluster().find(owned.key()).isPresent()).isEqualTo(stays);
    }

    @Test
    void aPodThatRunsIsMarkedByADeleteAndGoneByARemove() {
        create(
                Rig.parse(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: p}
                        spec: {nodeName: node, containers: [{name: c, image: i}]}
                        """));
        var key = Kinds.POD.key("default", "p");
        cluster().delete(key, Propagation.BACKGROUND);
        assertThat(cluster().find(key).orElseThrow().deleting()).isTrue();
        cluster().remove(key);
        assertThat(cluster().find(key)).isEmpty();
    }

    @Test
    void aWatchTellsWhatIsThereAndThenEachChangeInOrder() throws Exception {
        var one = create(map("one"));
        var heard = new LinkedBlockingQueue<WatchEvent>();
        try (var watch = cluster().watch(Kinds.CONFIG_MAP, heard::add)) {
            assertThat(watch).isNotNull();
            assertThat(next(heard)).isEqualTo("ADDED one " + one.resourceVersion());
            var two = create(map("two"));
            var more = cluster().update(with(one, "a", "1"), WriteOptions.PLAIN);
            cluster().delete(two.key(), Propagation.BACKGROUND);
            var again = create(map("two"));
            assertThat(next(heard)).isEqualTo("ADDED two " + two.resourceVersion());
            assertThat(next(heard)).isEqualTo("MODIFIED one " + more.resourceVersion());
            assertThat(next(heard)).startsWith("DELETED two ");
            assertThat(next(heard)).isEqualTo("ADDED two " + again.resourceVersion());
        }
        create(map("three"));
        assertThat(heard.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }

    private static String next(LinkedBlockingQueue<WatchEvent> heard) throws InterruptedException {
        var event = Objects.requireNonNull(heard.poll(20, TimeUnit.SECONDS), "no event");
        return "%s %s %d"
                .formatted(event.type(), event.object().name(), event.object().resourceVersion());
    }

    @Test
    void manyWatchesHearEveryChange() throws Exception {
        var made = create(map("one"));
        var queues = new ArrayList<LinkedBlockingQueue<WatchEvent>>();
        var watches = new ArrayList<Cluster.Watch>();
        for (int i = 0; i < 10; i++) {
            var heard = new LinkedBlockingQueue<WatchEvent>();
            queues.add(heard);
            watches.add(cluster().watch(Kinds.CONFIG_MAP, heard::add));
        }
        var versions = new ArrayList<Long>(List.of(made.resourceVersion()));
        var now = made;
        for (int i = 0; i < 100; i++) {
            now = cluster().update(with(now, "a", "v" + i), WriteOptions.PLAIN);
            versions.add(now.resourceVersion());
        }
        for (var heard : queues) {
            for (long version : versions) {
                assertThat(next(heard)).endsWith(" one " + version);
            }
        }
        watches.forEach(Cluster.Watch::close);
    }
}
