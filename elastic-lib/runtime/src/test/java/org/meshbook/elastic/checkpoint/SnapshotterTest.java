package org.meshbook.elastic.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.SliceLost;

class SnapshotterTest {
    record Params(Array w, Array b) {}

    record State(Params params, List<Array> moments, HostArray table, long step, String name) {}

    record Renamed(Params params, List<Array> moments, HostArray table, long step, String name) {}

    private static final Duration COPY = Duration.ofMillis(100);

    private final Simulation sim = Simulation.of(4, 2).withoutReturns();
    private final Manager manager = new Manager(sim);
    private final Snapshotter snapshots = new Snapshotter(manager);
    private final Mesh all = on(0, 1, 2, 3);

    @Test
    void saveIsAsynchronousAndLatestOnlyWhenComplete() {
        var before = sim.clock().elapsed();
        var saved = (SaveResult.Accepted) snapshots.save(10, state(all, 1));
        assertThat(sim.clock().elapsed()).isEqualTo(before);
        assertThat(saved.done()).isFalse();
        assertThat(snapshots.latest()).isEmpty();
        assertThat(saved.await(COPY)).isTrue();
        assertThat(snapshots.latest()).map(Snapshot::step).contains(10L);
        assertThat(snapshots.stats()).hasToString("1 saved, 0 in flight, 0 skipped, 0 failed");
    }

    @Test
    void saveWhileOneIsInFlightIsSkipped() {
        snapshots.save(10, state(all, 1));
        assertThat(snapshots.save(20, state(all, 2))).isEqualTo(new SaveResult.SkippedBusy(20, 10));
        snapshots.join();
        assertThat(snapshots.latest()).map(Snapshot::step).contains(10L);
        assertThat(snapshots.save(30, state(all, 3)).accepted()).isTrue();
        assertThat(snapshots.stats().skipped()).isEqualTo(1);
    }

    @Test
    void wholeTreeComesBackOnTheNewMesh() {
        saved(10, state(all, 5));
        lose(1);
        var mesh = on(0, 2, 3);
        var state = snapshots.load(mesh, state(mesh, 0));
        assertThat(values(state)).containsExactly(5, 6, 7, 8);
        assertThat(state.step()).isEqualTo(5);
        assertThat(state.name()).isEqualTo("run 5");
        assertThat(sim.shardingOf(state.params().w())).isEqualTo(mesh.sharding("", "model"));
        assertThat(sim.shardingOf(state.moments().getFirst())).isEqualTo(mesh.replicated());
    }

    @Test
    void lossDuringTheCopyKeepsTheOlderSnapshot() {
        saved(10, state(all, 5));
        var second = (SaveResult.Accepted) snapshots.save(20, state(all, 6));
        sim.kill(3);
        assertThat(second.await(Duration.ofSeconds(1))).isFalse();
        assertThat(second.failure()).containsInstanceOf(SliceLost.class);
        assertThat(snapshots.latest()).map(Snapshot::step).contains(10L);
        assertThat(snapshots.stats().failed()).isEqualTo(1);
        assertThat(snapshots.stats().lastFailure()).isPresent();
        snapshots.join();
        var mesh = on(0, 1, 2);
        var state = snapshots.load(mesh, state(mesh, 0));
        assertThat(state.step()).isEqualTo(5);
        assertThat(snapshots.join(COPY)).isTrue();
        assertThat(snapshots.save(30, state).accepted()).isTrue();
    }

    @Test
    void oneSurvivorOfFourIsEnough() {
        saved(10, state(all, 5));
        lose(0, 1, 2);
        var mesh = on(3);
        assertThat(values(snapshots.load(mesh, state(mesh, 0)))).containsExactly(5, 6, 7, 8);
    }

    @Test
    void copyThatAnswersButCannotBeReadIsNoSurvivor() {
        saved(10, state(all, 5));
        sim.rot(0);
        sim.rot(2);
        lose(1);
        var restored = new ArrayList<ElasticEvent>();
        manager.onEvent(restored::add);
        var mesh = on(3);
        snapshots.load(mesh, state(mesh, 0));
        assertThat(restored)
                .hasOnlyElementsOfType(ElasticEvent.Restored.class)
                .extracting(event -> ((ElasticEvent.Restored) event).slices())
                .containsExactly(Set.of(3));
    }

    @Test
    void survivorLostDuringTheLoadIsReplacedByTheOthers() {
        saved(10, state(all, 5));
        lose(1);
        sim.at(sim.clock().elapsed().plusMillis(10), () -> sim.kill(0));
        var mesh = on(2, 3);
        assertThat(values(snapshots.load(mesh, state(mesh, 0)))).containsExactly(5, 6, 7, 8);
    }

    @Test
    void targetLostDuringTheLoadIsALoss() {
        saved(10, state(all, 5));
        lose(1);
        sim.at(sim.clock().elapsed().plusMillis(10), () -> sim.kill(2));
        var mesh = on(2, 3);
        var like = state(on(3), 0);
        assertThatThrownBy(() -> snapshots.load(mesh, like))
                .isInstanceOfSatisfying(
                        SliceLost.class, lost -> assertThat(lost.slices()).containsExactly(2));
        assertThat(values(snapshots.load(on(3), like))).containsExactly(5, 6, 7, 8);
    }

    @Test
    void secondLossFindsReplicasOnTheNewMesh() throws Exception {
        saved(10, state(all, 5));
        lose(0, 1, 2);
        for (int slice = 0; slice < 3; slice++) {
            sim.restart(slice);
        }
        var wide = on(0, 1, 2, 3);
        snapshots.load(wide, state(wide, 0));
        snapshots.join();
        lose(3);
        var mesh = on(0, 1, 2);
        assertThat(values(snapshots.load(mesh, state(mesh, 0)))).containsExactly(5, 6, 7, 8);
    }

    @Test
    void withoutResetTheCopyStaysWhereItSurvived() {
        saved(10, state(all, 5));
        lose(0, 1, 2);
        for (int slice = 0; slice < 3; slice++) {
            sim.restart(slice);
        }
        var wide = on(0, 1, 2, 3);
        snapshots.load(wide, state(wide, 0), false);
        assertThat(snapshots.join(Duration.ZERO)).isTrue();
        lose(3);
        var mesh = on(0, 1, 2);
        var like = state(mesh, 0);
        assertThatThrownBy(() -> snapshots.load(mesh, like))
                .isInstanceOf(SnapshotLost.class)
                .hasMessageContaining("no slice holds a whole copy of step 10");
    }

    @Test
    void noSnapshotIsSaid() {
        var like = state(all, 0);
        assertThatThrownBy(() -> snapshots.load(all, like))
                .isInstanceOf(SnapshotLost.class)
                .hasMessageContaining("no snapshot is complete");
    }

    @Test
    void restoreOrInitWaitsForTheSaveInFlight() {
        snapshots.save(10, state(all, 5));
        State state = snapshots.restoreLatestOr(all, mesh -> state(mesh, 0));
        assertThat(state.step()).isEqualTo(5);
    }

    @Test
    void restoreOrInitStartsOverWhenNoCopySurvivesAndSaysSo() {
        saved(10, state(all, 5));
        lose(0, 1, 2, 3);
        sim.restart(1);
        var said = new ArrayList<String>();
        manager.onEvent(event -> said.add(event.toString()));
        State state = snapshots.restoreLatestOr(on(1), mesh -> state(mesh, 0));
        assertThat(state.step()).isZero();
        assertThat(said).singleElement().asString().contains("step 10 survives: starting over");
        assertThat(snapshots.latest()).isEmpty();
    }

    @Test
    void arrayCutOverTheReplicaAxisIsRefusedByName() {
        var cut = sim.put(Array.zeros(8), all.sharding("replica"));
        var bad = new State(params(all, 0), List.of(cut), Array.scalar(0), 0, "");
        assertThatThrownBy(() -> snapshots.save(1, bad))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'moments[0]'")
                .hasMessageContaining("'replica'");
        assertThat(snapshots.save(1, state(all, 0)).accepted()).isTrue();
    }

    @Test
    void changeOfAListAfterTheSaveDoesNotReachTheSnapshot() {
        var list = new ArrayList<Object>(List.of(1, params(all, 5).w()));
        saved(1, list);
        list.set(0, 2);
        var back = snapshots.load(all, List.of((Object) 0, params(all, 0).w()));
        assertThat(back.getFirst()).isEqualTo(1);
    }

    @Test
    void loadNamesEveryPathThatDoesNotFit() {
        saved(1, state(all, 5));
        var other =
                new State(
                        new Params(
                                sim.put(Array.zeros(3, 2), all.replicated()),
                                sim.put(Array.zeros(7), all.replicated())),
                        List.of(sim.put(Array.zeros(2), all.replicated())),
                        Array.scalar(0),
                        0,
                        "");
        assertThatThrownBy(() -> snapshots.load(all, other))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'params.w' is f32[2,2], asked for f32[3,2]")
                .hasMessageContaining("'params.b'");
        assertThatThrownBy(() -> snapshots.load(all, params(all, 1)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("a record of");
    }

    @Test
    void recordThatWasDeclaredAgainGetsTheValues() {
        saved(1, state(all, 5));
        var like =
                new Renamed(
                        params(all, 0),
                        List.of(sim.put(Array.zeros(2), all.replicated())),
                        Array.scalar(0),
                        0,
                        "");
        assertThat(snapshots.load(all, like).step()).isEqualTo(5);
    }

    @Test
    void snapshotOutlivesTheScopeOfItsArrays() {
        var scope = sim.openScope("attempt 1");
        saved(1, state(all, 5));
        scope.close();
        assertThat(values(snapshots.load(all, state(all, 0)))).containsExactly(5, 6, 7, 8);
    }

    @Test
    void budgetCountsTheCopyInFlight() {
        var state = state(all, 1);
        long each = Snapshotter.estimateBytes(state);
        assertThat(each).isEqualTo(4 * (4 + 2 + 2));
        var tight = new Snapshotter(manager, SnapshotOptions.DEFAULT.budget(2 * each - 1));
        assertThatThrownBy(() -> tight.save(1, state))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("budget");
        var enough = new Snapshotter(manager, SnapshotOptions.DEFAULT.budget(2 * each));
        assertThat(enough.save(1, state).accepted()).isTrue();
    }

    @Test
    void olderSnapshotOfARingIsUsedWhenTheNewestIsGone() {
        var ring = new Snapshotter(manager, SnapshotOptions.DEFAULT.keep(2));
        ring.save(10, state(all, 5));
        ring.join();
        var narrow = on(0);
        ring.save(20, state(narrow, 6));
        ring.join();
        lose(0);
        State state = ring.restoreLatestOr(on(1), mesh -> state(mesh, 0));
        assertThat(state.step()).isEqualTo(5);
    }

    @Test
    void savesAfterARollbackAreAccepted() {
        saved(20, state(all, 5));
        lose(1);
        var mesh = on(0, 2, 3);
        var state = snapshots.load(mesh, state(mesh, 0));
        snapshots.join();
        for (int step : new int[] {5, 6, 7}) {
            assertThat(snapshots.save(step, state).accepted()).isTrue();
            snapshots.join();
            assertThat(snapshots.latest()).map(Snapshot::step).contains((long) step);
        }
    }

    @Test
    void closedSnapshotterHoldsNothing() {
        saved(1, state(all, 5));
        snapshots.close();
        assertThat(snapshots.latest()).isEmpty();
    }

    private void saved(long step, Object state) {
        snapshots.save(step, state);
        snapshots.join();
    }

    private void lose(int... slices) {
        for (int slice : slices) {
            sim.kill(slice);
        }
        try {
            sim.clock().await(COPY, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private State state(Mesh mesh, int value) {
        return new State(
                params(mesh, value),
                List.of(sim.put(Array.of(value + 2f, value + 3f), mesh.replicated())),
                Array.scalar(9),
                value,
                "run " + value);
    }

    private Params params(Mesh mesh, int value) {
        return new Params(
                sim.put(Array.of(new float[][] {{value, 0}, {0, 0}}), mesh.sharding("", "model")),
                sim.put(Array.of(value + 1f, 0), mesh.replicated()));
    }

    private static List<Integer> values(State state) {
        return List.of(
                (int) state.params().w().toHost().get(0),
                (int) state.params().b().toHost().get(0),
                (int) state.moments().getFirst().toHost().get(0),
                (int) state.moments().getFirst().toHost().get(1));
    }

    private Mesh on(int... slices) {
        var set = new HashSet<Integer>();
        for (int slice : slices) {
            set.add(slice);
        }
        var devices = sim.devices().stream().filter(d -> set.contains(d.slice())).toList();
        return Mesh.of(devices, axis("replica", slices.length), axis("model", 2));
    }
}
