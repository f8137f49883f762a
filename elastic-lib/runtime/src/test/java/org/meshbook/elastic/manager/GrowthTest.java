package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.SliceLost;

class GrowthTest {
    record State(Array weights, Array cut, int step) {}

    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);
    private Mesh mesh = Counting.mesh(manager);
    private State state = new State(Array.scalar(0f), Array.scalar(0f), 0);

    @BeforeEach
    void threeOfFourAreActive() throws Exception {
        manager.activate(Set.of(0, 1, 2));
        mesh = Counting.mesh(manager);
        state =
                new State(
                        sim.put(Array.of(1f, 2f, 3f), mesh.replicated()),
                        sim.put(Array.zeros(24, 2), mesh.sharding("replica")),
                        7);
        manager.startMonitoring(Duration.ofSeconds(1));
    }

    @Test
    void nothingAvailableChangesNothing() {
        var grown = manager.growIfAvailable(mesh, state);
        assertThat(grown.changed()).isFalse();
        assertThat(grown.mesh()).isSameAs(mesh);
        assertThat(grown.state()).isSameAs(state);
        manager.close();
    }

    @Test
    void stateMovesToTheWiderMesh() throws Exception {
        pause(2);
        var grown = manager.growIfAvailable(mesh, state);
        assertThat(grown.changed()).isTrue();
        assertThat(grown.mesh().axes()).containsExactly(axis("replica", 4), axis("model", 2));
        assertThat(grown.mesh().devices()).isEqualTo(manager.activeDevices());
        assertThat(manager.activeSliceCount()).isEqualTo(4);
        assertThat(sim.shardingOf(grown.state().cut())).isEqualTo(grown.mesh().sharding("replica"));
        assertThat(grown.state().weights().toHost().get(2)).isEqualTo(3);
        assertThat(grown.state().step()).isEqualTo(7);
        manager.close();
    }

    @Test
    void newSliceThatDiesWhileTheStateMovesCostsNothing() throws Exception {
        pause(2);
        sim.at(sim.clock().elapsed().plusMillis(4), () -> sim.kill(3));
        var grown = manager.growIfAvailable(mesh, state);
        assertThat(grown.changed()).isFalse();
        assertThat(grown.mesh()).isSameAs(mesh);
        assertThat(manager.activeSliceIndices()).containsExactly(0, 1, 2);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        assertThat(grown.state().weights().toHost().get(0)).isEqualTo(1);
        pause(3);
        assertThat(manager.growIfAvailable(mesh, state).changed()).isTrue();
        manager.close();
    }

    @Test
    void newSliceThatDoesNotAnswerAnyMoreIsNotClaimed() throws Exception {
        pause(2);
        var events = new ArrayList<ElasticEvent>();
        manager.onEvent(events::add);
        sim.kill(3);
        assertThat(manager.growIfAvailable(mesh, state).changed()).isFalse();
        assertThat(events).anyMatch(ElasticEvent.GrowthFailed.class::isInstance);
        manager.close();
    }

    @Test
    void oldSliceThatDiesWhileTheStateMovesIsALoss() throws Exception {
        pause(2);
        sim.at(sim.clock().elapsed().plusMillis(4), () -> sim.kill(1));
        assertThatThrownBy(() -> manager.growIfAvailable(mesh, state))
                .isInstanceOfSatisfying(
                        SliceLost.class, lost -> assertThat(lost.slices()).containsExactly(1));
        assertThat(manager.activeSliceIndices()).containsExactly(0, 1, 2);
        manager.close();
    }

    @Test
    void meshMayBeShapedByTheProgram() throws Exception {
        pause(2);
        var grown =
                manager.growIfAvailable(
                        mesh,
                        state,
                        devices -> Mesh.of(devices, axis("replica", 2), axis("model", 4)));
        assertThat(grown.mesh().size("model")).isEqualTo(4);
        manager.close();
    }

    @Test
    void stateThatDoesNotDivideIsAnErrorAndTheActiveSetStays() throws Exception {
        pause(2);
        var odd = sim.put(Array.zeros(9), mesh.sharding("replica"));
        assertThatThrownBy(() -> manager.growIfAvailable(mesh, odd))
                .isInstanceOf(MeshMismatch.class);
        assertThat(manager.activeSliceCount()).isEqualTo(3);
        manager.close();
    }

    private void pause(int seconds) throws InterruptedException {
        sim.clock().await(Duration.ofSeconds(seconds), () -> false);
    }
}
