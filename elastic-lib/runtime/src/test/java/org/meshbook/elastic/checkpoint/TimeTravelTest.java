package org.meshbook.elastic.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Mesh;

/// Earlier steps: look at them, compare them, go back to them, go on from them.
class TimeTravelTest {
    record State(Array w, Array b, HostArray table, String name, long step) {}

    private final Given given = new Given();
    private final Snapshotter snapshots =
            new Snapshotter(given.manager, SnapshotOptions.DEFAULT.keep(4));
    private final Mesh all = given.on(0, 1, 2, 3);

    private void savedSteps(int... steps) {
        for (int step : steps) {
            given.saved(snapshots, step, given.state(all, step));
        }
    }

    @Test
    void ringKeepsTheNewestAndListsThem() {
        savedSteps(10, 20, 30, 40, 50);
        assertThat(snapshots.steps().numbers()).containsExactly(20L, 30L, 40L, 50L);
        assertThat(snapshots.steps().rows()).hasSize(5);
        assertThat(snapshots.steps().toString().lines())
                .hasSize(5)
                .last()
                .asString()
                .startsWith("50")
                .contains("0, 1, 2, 3")
                .endsWith("latest");
        assertThat(new Snapshotter(given.manager).steps()).hasToString("no snapshot is kept");
    }

    @Test
    void earlierStepIsLoadedAndTheLatestStays() {
        savedSteps(10, 20, 30);
        given.lose(1);
        var mesh = given.on(0, 2, 3);
        var back = snapshots.at(10).load(mesh, given.state(mesh, 0));
        assertThat(back.step()).isEqualTo(10);
        assertThat(back.w().toHost().get(0)).isEqualTo(10);
        assertThat(snapshots.latest().map(Snapshot::step)).contains(30L);
    }

    @Test
    void stepThatIsNotKeptIsAnsweredWithThoseThatAre() {
        savedSteps(10, 20);
        assertThatThrownBy(() -> snapshots.at(15))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("step 15 is not kept; there are steps [10, 20]");
        assertThatThrownBy(() -> new Snapshotter(given.manager).rewind(1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("no other is");
    }

    @Test
    void rewindGoesOnFromThereAndTakesNewSavesAtTheOldSteps() {
        savedSteps(10, 20, 30);
        snapshots.save(40, given.state(all, 40));
        assertThat(snapshots.rewind(20).step()).isEqualTo(20);
        assertThat(snapshots.steps().numbers()).containsExactly(10L, 20L);
        Given.State state = snapshots.restoreLatestOr(all, mesh -> given.state(mesh, 0));
        assertThat(state.step()).isEqualTo(20);
        snapshots.join();
        savedSteps(30);
        assertThat(snapshots.steps().numbers()).containsExactly(10L, 20L, 30L);
    }

    @Test
    void stepThatIsSavedAgainIsKeptOnce() {
        savedSteps(10, 20);
        given.saved(snapshots, 20, given.state(all, 21));
        assertThat(snapshots.steps().numbers()).containsExactly(10L, 20L);
        assertThat(snapshots.at(20).load(all, given.state(all, 0)).step()).isEqualTo(21);
    }

    @Test
    void branchGoesOnFromAnEarlierStepAndTheOriginalStays() {
        savedSteps(10, 20, 30);
        var slow = snapshots.branch("slow", 20);
        assertThat(slow.name()).isEqualTo("slow");
        Given.State state = slow.restoreLatestOr(all, mesh -> given.state(mesh, 0));
        assertThat(state.step()).isEqualTo(20);
        slow.join();
        given.saved(slow, 30, given.state(all, 31));
        assertThat(slow.steps().numbers()).containsExactly(20L, 30L);
        assertThat(snapshots.steps().numbers()).containsExactly(10L, 20L, 30L);
        assertThat(snapshots.branches()).containsExactly(slow);
        // The memory of step 20 is shared: either may drop it first.
        snapshots.close();
        assertThat(slow.at(20).load(all, given.state(all, 0)).step()).isEqualTo(20);
        assertThat(slow.at(30).load(all, given.state(all, 0)).step()).isEqualTo(31);
    }

    @Test
    void branchNeedsAFreeAndPlainName() {
        savedSteps(10);
        try (var slow = snapshots.branch("slow", 10)) {
            assertThat(slow.latest()).isPresent();
            assertThatThrownBy(() -> snapshots.branch("slow", 10))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("there is a branch 'slow' already");
        }
        assertThat(snapshots.branch("slow", 10).latest()).isPresent();
        assertThat(snapshots.branches()).extracting(Snapshotter::name).containsExactly("slow");
        for (var name : List.of("", "../up", "a b", "-x", "x/y")) {
            assertThatThrownBy(() -> snapshots.branch(name, 10))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("no name of a branch");
        }
    }

    @Test
    void differenceIsMeasuredLeafByLeaf() {
        given.saved(snapshots, 1, state(all, 3, 4, "warm", 1));
        given.saved(snapshots, 2, state(all, 6, 4, "hot", 2));
        var diff = snapshots.diff(1, 2);
        var w = diff.leaves().get(0);
        assertThat(w.path()).isEqualTo("w");
        assertThat(w.norm()).isEqualTo(3 * Math.sqrt(2), within(1e-5));
        assertThat(w.relative()).isEqualTo(1, within(1e-5));
        assertThat(w.max()).isEqualTo(3);
        assertThat(diff.leaves().get(1).norm()).isZero();
        assertThat(diff.leaves().get(2).path()).isEqualTo("table");
        assertThat(diff.leaves().get(2).max()).isEqualTo(1);
        assertThat(diff.norm()).isEqualTo(Math.sqrt(18 + 1), within(1e-5));
        assertThat(diff.changes())
                .extracting(change -> change.path() + " " + change.before() + " " + change.after())
                .containsExactly("name warm hot", "step 1 2");
        assertThat(diff.toString().lines().toList())
                .hasSize(1 + 3 + 1 + 2)
                .first()
                .asString()
                .startsWith("step 1 → step 2");
    }

    @Test
    void differenceNeedsOneReplicaOfEach() {
        savedSteps(10, 20);
        given.lose(0, 1, 3);
        assertThat(snapshots.diff(10, 20).max()).isEqualTo(10);
        given.lose(2);
        assertThatThrownBy(() -> snapshots.diff(10, 20))
                .isInstanceOf(SnapshotLost.class)
                .hasMessageContaining("no slice holds a whole copy of both steps 10 and 20");
    }

    @Test
    void stepsOfDifferentMeshesAndBranchesCompare() {
        savedSteps(10);
        var branch = snapshots.branch("wide", 10);
        var one = given.on(2);
        given.saved(branch, 20, given.state(one, 25));
        given.lose(0, 1);
        var diff = snapshots.diff(snapshots.at(10), branch.at(20));
        assertThat(diff.max()).isEqualTo(15);
        assertThat(diff).asString().startsWith("main, step 10 → wide, step 20");
    }

    @Test
    void arraysThatOnlyOneStepHasAreSaid() {
        given.saved(snapshots, 1, List.of(given.array(all, 1), given.array(all, 2)));
        given.saved(snapshots, 2, List.of(given.array(all, 1)));
        var diff = snapshots.diff(1, 2);
        assertThat(diff.leaves()).hasSize(1);
        assertThat(diff.changes()).singleElement().asString().contains("[1]").contains("f32[2]");
    }

    private State state(Mesh mesh, float w, float b, String name, long step) {
        return new State(
                given.sim.put(Array.of(w, w), mesh.sharding("model")),
                given.sim.put(Array.of(b), mesh.replicated()),
                Array.of((float) step).toHost(),
                name,
                step);
    }
}
