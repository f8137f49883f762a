package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.SliceState;

/// Slices that announce that they leave.
class LeavingTest {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration NOTICE = Duration.ofSeconds(10);

    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);
    private final List<Long> steps = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final List<ElasticEvent> events = new ArrayList<>();

    @Test
    void announcedLeaveShrinksAtTheNextBoundaryWithZeroLostSteps() {
        sim.withoutReturns().at(Duration.ofMillis(1_030), () -> sim.notice(2, NOTICE));
        manager.onEvent(events::add);
        assertThat(train(Retry.atLeast(2))).isEqualTo(Counting.after(40));
        assertThat(steps).doesNotHaveDuplicates().hasSize(40);
        assertThat(sizes.subList(8, 14)).containsExactly(4, 4, 4, 3, 3, 3);
        assertThat(events.stream().map(event -> event.toString().substring(14)))
                .contains(
                        "slice 2 leaves within 10s: process was asked to end",
                        "left slice 2, 3 slices now, in 5.0 ms; no step is lost",
                        "slice 2 lost: announced that it leaves (it was not in use)");
        var account = manager.recoveries().all().getFirst();
        assertThat(account.replayed()).isZero();
        assertThat(account.from()).isEqualTo(4);
        assertThat(account.to()).isEqualTo(3);
    }

    @Test
    void sliceThatIsLetGoComesBackAndIsGrownOnto() {
        sim.at(Duration.ofMillis(1_030), () -> sim.notice(2, NOTICE));
        train(Retry.atLeast(2));
        assertThat(steps).doesNotHaveDuplicates();
        assertThat(sizes).contains(3).last().isEqualTo(4);
        assertThat(sim.view().slices().get(2).generation()).isEqualTo(2);
    }

    @Test
    void leavingSliceIsNeitherAvailableNorAdopted() throws Exception {
        sim.withoutReturns();
        manager.activate(Set.of(0, 1));
        manager.startMonitoring(Duration.ofSeconds(1));
        pause(Duration.ofSeconds(2));
        assertThat(manager.availableInactiveSlices()).containsExactly(2, 3);
        sim.notice(3, NOTICE);
        assertThat(manager.availableInactiveSlices()).containsExactly(2);
        assertThat(sim.view().slices().get(3).state()).isEqualTo(SliceState.LEAVING);
        assertThat(manager.waitForSlices(2)).containsExactly(0, 1, 2);
        manager.close();
    }

    @Test
    void recoveryOfALeaveSaysLeftAfterNotice() {
        sim.at(Duration.ofMillis(1_030), () -> sim.notice(2, NOTICE));
        train(Retry.atLeast(1));
        assertThat(manager.recoveries().all().getFirst().toString())
                .startsWith("left after notice: slice 2 after step");
        assertThat(manager.recoveries().all().getFirst().cause())
                .isEqualTo("slice 2 announced the end");
    }

    @Test
    void leaveThatWouldLeaveTooFewIsWaitedOut() {
        sim.at(Duration.ofMillis(1_030), () -> sim.notice(2, Duration.ofSeconds(1)));
        train(Retry.all());
        // all four serve until the time is over; then it is a loss like any other
        assertThat(steps).hasSizeGreaterThan(40);
        assertThat(sizes).containsOnly(4);
        assertThat(sim.view().slices().get(2).generation()).isEqualTo(2);
    }

    @Test
    void spareSliceTakesThePlaceOfTheLeavingOne() {
        manager.activate(Set.of(0, 1));
        sim.withoutReturns().at(Duration.ofMillis(1_030), () -> sim.notice(1, NOTICE));
        var mesh = Counting.mesh(manager);
        var state = Counting.start(sim, mesh);
        manager.startMonitoring(Duration.ofSeconds(2));
        while (state.step() < 40) {
            state = Counting.next(sim, mesh, state, STEP);
            assertThat(state.sum().item()).isEqualTo(Counting.after(state.step()));
            var now = manager.resizeIfNeeded(mesh, state);
            mesh = now.mesh();
            state = now.state();
        }
        assertThat(manager.activeSliceIndices()).containsExactly(0, 2, 3);
        manager.close();
    }

    @Test
    void programThatHoldsOnToALeavingSliceLosesItWhenTheTimeIsOver() {
        var mesh = Counting.mesh(manager);
        var state = Counting.start(sim, mesh);
        sim.notice(2, Duration.ofSeconds(1));
        assertThat(state.sum().item()).isEqualTo(1);
        var kept = Counting.next(sim, mesh, state, Duration.ofSeconds(2));
        assertThatThrownBy(() -> kept.sum().toHost())
                .isInstanceOfSatisfying(
                        SliceLost.class, lost -> assertThat(lost.slices()).containsExactly(2));
    }

    private double train(Retry retry) {
        return manager.elasticRetry(
                retry,
                attempt -> {
                    var mesh = Counting.mesh(manager);
                    var state = Counting.start(sim, mesh);
                    while (state.step() < 40) {
                        state = Counting.next(sim, mesh, state, STEP);
                        var value = state.sum().item();
                        assertThat(value).isEqualTo(Counting.after(state.step()));
                        steps.add(state.step());
                        sizes.add(mesh.size("replica"));
                        attempt.completed(state.step());
                        var now = manager.resizeIfNeeded(mesh, state);
                        mesh = now.mesh();
                        state = now.state();
                    }
                    return state.sum().item();
                });
    }

    private void pause(Duration time) throws InterruptedException {
        sim.clock().await(time, () -> false);
    }
}
