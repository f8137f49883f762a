package org.meshbook.elastic.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Mesh;

/// Where the arrays of a snapshot lie, and where they go.
class PlacementTest {
    record State(Array w, Array scale) {}

    private final Given given = new Given();
    private final Snapshotter snapshots = new Snapshotter(given.manager);
    private final Mesh all = given.on(0, 1, 2, 3);

    @Test
    void smallArrayOnOneDeviceOutlivesItsDeviceAndIsAloneAgain() {
        given.saved(snapshots, 1, state(all, 2, 7));
        var same = snapshots.load(all, state(all, 2, 0));
        assertThat(given.sim.shardingOf(same.scale()).mesh().devices())
                .containsExactly(given.sim.devices().get(4));
        snapshots.join();
        given.lose(2);
        var mesh = given.on(0, 1, 3);
        State back = snapshots.restoreLatestOr(mesh, fresh -> state(fresh, 0, 0));
        assertThat(back.scale().item()).isEqualTo(7);
        assertThat(given.sim.shardingOf(back.scale()).mesh().devices())
                .containsExactly(given.sim.devices().get(0));
        // The copy that was made anew holds it at every replica again.
        snapshots.join();
        given.lose(0);
        var two = given.on(1, 3);
        State again = snapshots.restoreLatestOr(two, fresh -> state(fresh, 1, 0));
        assertThat(again.scale().item()).isEqualTo(7);
    }

    @Test
    void stateOnOneDeviceAloneIsCopiedToEverySlice() {
        var lone = on(5, Array.scalar(7f));
        given.saved(snapshots, 1, List.of(lone));
        given.lose(2);
        var back = snapshots.load(given.on(0, 1, 3), List.of(on(0, Array.scalar(0f))));
        assertThat(back.getFirst().item()).isEqualTo(7);
    }

    @Test
    void arrayOnOneDeviceIsRefusedByNameWhenAskedTo() {
        var strict = new Snapshotter(given.manager, SnapshotOptions.DEFAULT.autoReplicate(false));
        var state = state(all, 2, 7);
        assertThatThrownBy(() -> strict.save(1, state))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'scale' (f32[]) lies on device 4 (slice 2) alone")
                .hasMessageContaining("mesh.replicated()");
    }

    @Test
    void largeArrayOnOneDeviceIsRefusedByName() {
        var state = new State(given.array(all, 1), on(0, Array.zeros(5 << 20)));
        assertThatThrownBy(() -> snapshots.save(1, state))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'scale'")
                .hasMessageContaining("larger than 16 MiB");
    }

    @Test
    void loadFollowsTheShardingsThatAreAskedFor() {
        given.saved(snapshots, 1, List.of(given.array(all, 5)));
        var like = List.of(given.sim.put(Array.zeros(2), all.replicated()));
        var back = snapshots.load(all, like);
        assertThat(given.sim.shardingOf(back.getFirst())).isEqualTo(all.replicated());
        assertThat(back.getFirst().toHost().get(0)).isEqualTo(5);
    }

    @Test
    void modelAxisMayHaveAnotherSize() {
        given.saved(snapshots, 1, List.of(given.array(all, 5)));
        given.lose(1);
        // Two replicas of one slice become one replica over two.
        var devices = given.sim.devices().stream().filter(d -> d.slice() >= 2).toList();
        var wide = Mesh.of(devices.subList(0, 2), axis("replica", 2), axis("model", 1));
        var back =
                snapshots.load(
                        wide, List.of(given.sim.put(Array.zeros(2), wide.sharding("model"))));
        assertThat(back.getFirst().toHost().get(0)).isEqualTo(5);
        assertThat(given.sim.shardingOf(back.getFirst()).mesh()).isEqualTo(wide);
    }

    @Test
    void saveOnAMeshOfTwoAxesWorksAfterAResize() {
        given.saved(snapshots, 1, given.state(all, 1));
        given.lose(3);
        var three = given.on(0, 1, 2);
        Given.State back = snapshots.restoreLatestOr(three, mesh -> given.state(mesh, 0));
        snapshots.join();
        given.saved(snapshots, 2, new Given.State(back.w(), 2));
        given.lose(0, 1);
        var one = given.on(2);
        Given.State last = snapshots.restoreLatestOr(one, mesh -> given.state(mesh, 0));
        assertThat(last.step()).isEqualTo(2);
        assertThat(last.w().toHost().get(0)).isEqualTo(1);
    }

    @Test
    void sliceThatReturnsUnderItsOldIndexHoldsNothing() {
        given.saved(snapshots, 1, given.state(all, 1));
        given.lose(0, 1, 2);
        given.sim.restart(0);
        given.lose(3);
        var like = given.state(given.on(0), 0);
        assertThatThrownBy(() -> snapshots.load(given.on(0), like))
                .isInstanceOf(SnapshotLost.class)
                .hasMessageContaining("no slice holds a whole copy of step 1");
    }

    private State state(Mesh mesh, int slice, float scale) {
        return new State(given.array(mesh, 1), on(2 * slice, Array.scalar(scale)));
    }

    private Array on(int device, Array value) {
        var alone = Mesh.of(List.of(given.sim.devices().get(device)), axis("x", 1));
        return given.sim.put(value, alone.replicated());
    }
}
