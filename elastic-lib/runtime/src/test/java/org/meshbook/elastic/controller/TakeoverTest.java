package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.checkpoint.SnapshotOptions;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.names.Named;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.transport.Fault;

/// A client takes over what another one left on the same workers.
@Timeout(60)
class TakeoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LocalWorkers workers = LocalWorkers.of(3, 2);
    private Client client = Client.first(workers);
    private MeshRuntime runtime;
    private Mesh mesh;

    enum Phase {
        WARM,
        HOT
    }

    record Params(Array w, Optional<Array> b) {}

    record State(
            Params params, Map<String, Array> slots, List<Array> layers, Phase at, long step) {}

    // What a later program declares: other classes of the same components.
    enum Phase2 {
        WARM,
        HOT
    }

    record Params2(Array w, Optional<Array> b) {}

    record State2(
            Params2 params, Map<String, Array> slots, List<Array> layers, Phase2 at, long step) {}

    record Other(Array w) {}

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(client);
        runtime.adopt();
        CurrentSlices.set(Optional.of(runtime));
        mesh = mesh(runtime);
    }

    @AfterEach
    void end() {
        CurrentSlices.set(Optional.empty());
        runtime.close();
        workers.close();
    }

    /// The client is gone without a word; another one attaches.
    private void takeOver() {
        runtime.close();
        client = client.next();
        link();
    }

    private static Mesh mesh(MeshRuntime runtime) {
        return LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
    }

    @Test
    void treeComesBackBitEqualInTheClassesOfTheNewProgram() {
        var w = Array.normal(1, 12, 4);
        var b = Array.normal(2, 4);
        var host = Array.normal(3, 2, 2);
        var state =
                new State(
                        new Params(
                                runtime.put(w, mesh.sharding("replica", "model")),
                                Optional.of(runtime.put(b, mesh.replicated()))),
                        Map.of("m", runtime.put(b, mesh.sharding("model"))),
                        List.of(host),
                        Phase.HOT,
                        130);
        Named.publish("state", state);

        takeOver();

        var back = Named.lookup("state", State2.class);
        assertThat(back.params().w().toHost().bytes()).isEqualTo(w.bytes());
        assertThat(back.params().b().orElseThrow().toHost().bytes()).isEqualTo(b.bytes());
        assertThat(back.slots().values())
                .singleElement()
                .satisfies(m -> assertThat(m.toHost().bytes()).isEqualTo(b.bytes()));
        assertThat(back.layers().getFirst().toHost().bytes()).isEqualTo(host.bytes());
        assertThat(back.at()).isEqualTo(Phase2.HOT);
        assertThat(back.step()).isEqualTo(130);
        assertThat(runtime.shardingOf(back.params().w()))
                .isEqualTo(Sharding.of(mesh, "replica", "model"));
    }

    @Test
    void numbersGoOnWithoutAClash() {
        var x = Array.normal(1, 12, 4);
        Named.publish("x", runtime.put(x, mesh.sharding("replica")));

        takeOver();

        var back = Named.lookup("x", Array.class);
        var twice = jit((Array a) -> a.mul(2));
        for (int i = 0; i < 20; i++) {
            assertThat(twice.apply(back).toHost().bytes()).isEqualTo(x.mul(2).toHost().bytes());
        }
        Named.publish("y", twice.apply(back));
        takeOver();
        assertThat(Named.lookup("y", Array.class).toHost().bytes())
                .isEqualTo(x.mul(2).toHost().bytes());
        assertThat(Named.published()).containsExactly("x", "y");
    }

    @Test
    void whatHadNoNameIsFreed() {
        var named = (PlacedArray) runtime.put(Array.normal(1, 12, 4), mesh.replicated());
        var nameless = (PlacedArray) runtime.put(Array.normal(2, 12, 4), mesh.replicated());
        Named.publish("named", named);
        assertThat(nameless.toHost()).isNotNull();

        takeOver();

        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThatThrownBy(() -> byNumber(nameless).toHost())
                                        .isInstanceOf(RunFailed.class)
                                        .hasMessageContaining("holds nothing of array"));
        assertThat(byNumber(named).toHost()).isNotNull();
    }

    /// The array of an earlier client, whether it has a name or not.
    private PlacedArray byNumber(PlacedArray earlier) {
        return new PlacedArray(
                runtime,
                runtime.adoptedState(earlier.state().id(), earlier.type(), earlier.sharding()));
    }

    @Test
    void sliceLostWhileNobodyWasThereLeavesItsArraysPoisoned() {
        Named.publish("all", runtime.put(Array.normal(1, 12, 4), mesh.sharding("replica")));
        var two = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
        var x = Array.normal(2, 12, 4);
        Named.publish("two", runtime.put(x, two.sharding("replica")));
        assertThat(Named.lookup("all", Array.class).toHost()).isNotNull();

        runtime.close();
        workers.lose(2);
        workers.revive(2);
        client = client.next();
        link();

        var all = Named.lookup("all", Array.class);
        assertThat(all.toString()).contains("lost (slice 2)");
        assertThatThrownBy(all::toHost)
                .isInstanceOf(SliceLost.class)
                .hasMessageContaining("slice 2");
        assertThat(Named.lookup("two", Array.class).toHost().bytes()).isEqualTo(x.bytes());
    }

    @Test
    void poisonIsKept() {
        var array = (PlacedArray) runtime.put(Array.normal(1, 12, 4), mesh.replicated());
        array.state().poison(Fault.lost(1, "process 4711 ended by signal 9"));
        Named.publish("array", array);

        takeOver();

        assertThat(Named.lookup("array", Array.class).toString()).contains("lost (slice 1)");
    }

    @Test
    void publishedArrayOutlivesItsScope() {
        try (var _ = runtime.openScope("attempt 1")) {
            Named.publish("x", runtime.put(Array.normal(1, 12, 4), mesh.replicated()));
        }
        assertThat(Named.lookup("x", Array.class).toHost()).isNotNull();
    }

    @Test
    void olderClientThatIsStillThereWritesNoMore() throws InterruptedException {
        var old = runtime;
        var array = old.put(Array.normal(1, 12, 4), mesh.replicated());
        assertThat(array.toHost()).isNotNull();
        client = client.next();
        link();
        assertThat(runtime.put(Array.scalar(1f), mesh.replicated()).item()).isEqualTo(1);

        assertThatThrownBy(() -> old.put(Array.scalar(2f), mesh.replicated()).item())
                .isInstanceOf(SliceLost.class);
        old.close();
        assertThat(runtime.put(Array.scalar(3f), mesh.replicated()).item()).isEqualTo(3);
    }

    @Test
    void observerFetchesWhatIsPublishedAndNothingElse() {
        var x = Array.normal(1, 12, 4);
        Named.publish("x", runtime.put(x, mesh.sharding("replica")));
        var secret = (PlacedArray) runtime.put(x, mesh.replicated());
        assertThat(secret.toHost()).isNotNull();
        try (var observer = new MeshRuntime(client.observer())) {
            observer.adopt();
            var seen = observer.names().find("x").orElseThrow().arrays().getFirst();
            assertThat(seen.toHost().bytes()).isEqualTo(x.bytes());
            var state =
                    observer.adoptedState(secret.state().id(), secret.type(), secret.sharding());
            assertThatThrownBy(() -> new PlacedArray(observer, state).toHost())
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("published arrays only");
            var there = mesh(observer).replicated();
            assertThatThrownBy(() -> observer.put(x, there)).hasMessageContaining("only look");
            assertThatThrownBy(() -> jit((Array a) -> a.mul(2)).apply(seen))
                    .hasMessageContaining("only look");
            assertThatThrownBy(() -> observer.copyToHosts(List.of(seen)))
                    .hasMessageContaining("only look");
            assertThatThrownBy(() -> observer.names().withdraw("x"))
                    .hasMessageContaining("only look");
        }
        assertThat(Named.lookup("x", Array.class).toHost().bytes()).isEqualTo(x.bytes());
    }

    record Training(Array w, Phase at, long position) {}

    record Training2(Array w, Phase2 at, long position) {}

    private Training training(Mesh onto, long seed) {
        var w = runtime.put(Array.normal(seed, 12, 4), onto.sharding("", "model"));
        return new Training(w, Phase.HOT, seed);
    }

    private Training2 fresh(Mesh onto) {
        return new Training2(
                runtime.put(Array.zeros(12, 4), onto.sharding("", "model")), Phase2.WARM, 0);
    }

    @Test
    void snapshotsGoOnInTheNextProgramAfterTheLastOneThatWasComplete() {
        var snapshots = new Snapshotter(Manager.current(), SnapshotOptions.DEFAULT.keep(2));
        snapshots.save(5, training(mesh, 5));
        snapshots.join();
        Named.publish("snapshots", snapshots);
        for (long step : List.of(10L, 15L)) {
            snapshots.save(step, training(mesh, step));
            snapshots.join();
        }
        assertThat(Named.lookup("snapshots", Snapshotter.class)).isSameAs(snapshots);

        takeOver();

        var back = Named.lookup("snapshots", Snapshotter.class);
        assertThat(Named.lookup("snapshots", Snapshotter.class)).isSameAs(back);
        assertThat(back.steps().toString()).contains("10", "15");
        var state = back.restoreLatestOr(mesh, this::fresh);
        assertThat(state.position()).isEqualTo(15);
        assertThat(state.at()).isEqualTo(Phase2.HOT);
        assertThat(state.w().toHost().bytes()).isEqualTo(Array.normal(15, 12, 4).bytes());
        back.save(20, state);
        back.join();

        takeOver();

        var third = Named.lookup("snapshots", Snapshotter.class);
        assertThat(third.latest().orElseThrow().step()).isEqualTo(20);
        assertThat(third.restoreLatestOr(mesh, this::fresh).position()).isEqualTo(15);
    }

    @Test
    void snapshotSurvivesASliceThatIsLostWhileNobodyWasThere() {
        var snapshots = new Snapshotter(Manager.current());
        snapshots.save(5, training(mesh, 5));
        snapshots.join();
        Named.publish("snapshots", snapshots);
        runtime.close();
        workers.lose(1);
        workers.revive(1);
        client = client.next();
        link();

        var state = Named.lookup("snapshots", Snapshotter.class).restoreLatestOr(mesh, this::fresh);
        assertThat(state.w().toHost().bytes()).isEqualTo(Array.normal(5, 12, 4).bytes());
    }

    @Test
    void snapshotsWithoutANameAreFreed() throws InterruptedException {
        var snapshots = new Snapshotter(Manager.current());
        snapshots.save(5, training(mesh, 5));
        snapshots.join();
        var named = new Snapshotter(Manager.current());
        named.save(6, training(mesh, 6));
        named.join();
        Named.publish("named", named);
        var copies = List.of(snapshots.ring(), named.ring());

        takeOver();

        var nameless = byNumber((WorkerHostCopy) copies.get(0).getFirst().copy());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(nameless.readable(Set.of(0, 1, 2))).isEmpty());
        var kept = byNumber((WorkerHostCopy) copies.get(1).getFirst().copy());
        assertThat(kept.readable(Set.of(0, 1, 2))).containsExactlyInAnyOrder(0, 1, 2);
    }

    private WorkerHostCopy byNumber(WorkerHostCopy earlier) {
        return WorkerHostCopy.adopted(runtime, earlier.id(), earlier.types(), earlier.shardings());
    }

    @Test
    void lookupSaysWhatThereIs() {
        Named.publish(
                "params",
                new Params(runtime.put(Array.scalar(1f), mesh.replicated()), Optional.empty()));
        assertThatThrownBy(() -> Named.lookup("parms", Params.class))
                .isInstanceOf(UsageError.class)
                .hasMessage("nothing is published as 'parms'; there is params");
        assertThatThrownBy(() -> Named.lookup("params", Other.class))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("is a record Params[w, b], not Other");
        Named.withdraw("params");
        assertThatThrownBy(() -> Named.lookup("params", Params.class))
                .hasMessage("nothing is published as 'params'; there is nothing");
    }
}
