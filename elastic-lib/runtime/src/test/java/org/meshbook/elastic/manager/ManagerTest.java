package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.Health;

class ManagerTest {
    private static final Duration POLL = Duration.ofSeconds(10);

    private final Simulation sim = Simulation.of(4, 2);

    @Test
    void constructorProbesAtOnceAndActivatesTheHealthy() throws Exception {
        sim.withoutReturns().kill(2);
        sleep(1);
        var manager = new Manager(sim);
        assertThat(manager.activeSliceIndices()).containsExactly(0, 1, 3);
        assertThat(manager.inactiveSliceIndices()).containsExactly(2);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        assertThat(manager.allSliceIndices()).containsExactly(0, 1, 2, 3);
        assertThat(manager.totalSliceCount()).isEqualTo(4);
        assertThat(manager.activeSliceCount()).isEqualTo(3);
        assertThat(manager.roster().health()).containsEntry(2, Health.UNREACHABLE);
    }

    @Test
    void activeDevicesAreInOrderOfSlice() {
        var manager = new Manager(sim);
        manager.activate(Set.of(3, 1));
        assertThat(manager.activeDevices()).extracting(Device::id).containsExactly(2, 3, 6, 7);
        assertThat(manager.defaultDevice().id()).isEqualTo(2);
        assertThat(manager.devicesBySlice().get(3)).hasSize(2);
    }

    @Test
    void noActiveSliceMeansNoDefaultDevice() throws Exception {
        sim.withoutReturns();
        for (int slice = 0; slice < 4; slice++) {
            sim.kill(slice);
        }
        sleep(1);
        var manager = new Manager(sim);
        assertThat(manager.activeSliceIndices()).isEmpty();
        assertThatThrownBy(manager::defaultDevice)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("no slice is active");
    }

    @Test
    void scaleMustDivideForWholeNumbers() {
        var manager = new Manager(sim);
        manager.activate(Set.of(0, 1, 2));
        assertThat(manager.scaleByActiveSlices(128)).isEqualTo(96);
        assertThat(manager.scaleByActiveSlices(1.0)).isEqualTo(0.75);
        assertThatThrownBy(() -> manager.scaleByActiveSlices(126))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("remainder 2");
    }

    @Test
    void choosingNoneOrStrangersIsRefusedAndChangesNothing() {
        var manager = new Manager(sim);
        assertThatThrownBy(() -> manager.activate(Set.of())).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> manager.activate(Set.of(0, 9)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("9");
        assertThat(manager.activeSliceCount()).isEqualTo(4);
    }

    @Test
    void activatingPrunesTheAvailableAndProbesNothing() throws Exception {
        var manager = monitored(Set.of(0, 1));
        sleep(11);
        assertThat(manager.availableInactiveSlices()).containsExactly(2, 3);
        var before = sim.clock().elapsed();
        manager.activate(Set.of(0, 1, 3));
        assertThat(sim.clock().elapsed()).isEqualTo(before);
        assertThat(manager.availableInactiveSlices()).containsExactly(2);
        manager.close();
    }

    @Test
    void everyObservedSetIsImmutable() {
        var manager = new Manager(sim);
        assertThatThrownBy(() -> manager.activeSliceIndices().add(1))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> manager.allSliceIndices().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> manager.activeDevices().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void firstLookComesAfterOnePoll() throws Exception {
        var manager = monitored(Set.of(0));
        sleep(9);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        sleep(2);
        assertThat(manager.availableInactiveSlices()).containsExactly(1, 2, 3);
        manager.close();
    }

    @Test
    void returnIsProbedAtOnceWithoutWaitingForThePoll() throws Exception {
        sim.kill(3);
        sleep(1);
        var manager = new Manager(sim);
        manager.startMonitoring(Duration.ofHours(1));
        sleep(2);
        assertThat(manager.availableInactiveSlices()).containsExactly(3);
        manager.close();
    }

    @Test
    void availableIsReplacedByEachProbeNotGathered() throws Exception {
        var manager = monitored(Set.of(0, 1));
        sleep(11);
        assertThat(manager.availableInactiveSlices()).containsExactly(2, 3);
        sim.withoutReturns().hang(2);
        sim.at(sim.clock().elapsed().plus(Duration.ofMillis(60)), () -> {});
        sleep(30);
        assertThat(manager.availableInactiveSlices()).containsExactly(3);
        manager.close();
    }

    @Test
    void lossTakesASliceOutOfTheAvailableAtOnce() throws Exception {
        var manager = monitored(Set.of(0, 1));
        sleep(11);
        sim.withoutReturns().kill(2);
        sim.clock().await(Duration.ofMillis(51), () -> false);
        assertThat(manager.availableInactiveSlices()).containsExactly(3);
        manager.close();
    }

    @Test
    void whoWaitsForAnAvailableSliceIsWoken() throws Exception {
        var manager = monitored(Set.of(0));
        var before = sim.clock().elapsed();
        assertThat(
                        sim.clock()
                                .await(
                                        Duration.ofHours(1),
                                        () -> !manager.availableInactiveSlices().isEmpty()))
                .isTrue();
        assertThat(sim.clock().elapsed().minus(before)).isEqualTo(POLL.plusMillis(2));
        manager.close();
    }

    @Test
    void probeThatBeganBeforeAGrowthIsDropped() throws Exception {
        var manager = monitored(Set.of(0, 1));
        // the monitor's probe runs from 10.000 to 10.002: activate in between
        sim.at(
                sim.clock().elapsed().plus(Duration.ofMillis(10_001)),
                () -> manager.activate(Set.of(0, 1, 2)));
        sleep(12);
        assertThat(manager.roster().active()).containsExactly(0, 1, 2);
        assertThat(manager.roster().available()).containsExactly(3);
        manager.close();
    }

    @Test
    void claimActivatesOnlyWhatAnswersRightNow() throws Exception {
        var manager = monitored(Set.of(0, 1));
        sleep(11);
        sim.withoutReturns().kill(3);
        assertThat(manager.tryClaim(manager.availableInactiveSlices())).containsExactly(2);
        assertThat(manager.activeSliceIndices()).containsExactly(0, 1, 2);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        manager.close();
    }

    @Test
    void programMayProbeInItsOwnWay() throws Exception {
        var asked = new ArrayList<Set<Integer>>();
        var manager =
                new Manager(
                        sim,
                        ManagerOptions.DEFAULT.probe(
                                (slices, all, timeout) -> {
                                    asked.add(all);
                                    var found = new TreeMap<>(slices.probe(all, timeout));
                                    found.remove(3);
                                    found.put(2, Health.HUNG);
                                    return found;
                                }));
        assertThat(asked).containsExactly(Set.of(0, 1, 2, 3));
        assertThat(manager.activeSliceIndices()).containsExactly(0, 1);
        assertThat(manager.roster().health())
                .containsEntry(2, Health.HUNG)
                .containsEntry(3, Health.UNREACHABLE);
        manager.close();
    }

    @Test
    void wrongProbeValueQuarantinesUntilTheProcessesAreNew() throws Exception {
        sim.corrupt(1);
        var events = new ArrayList<ElasticEvent>();
        var manager = new Manager(sim);
        manager.onEvent(events::add);
        assertThat(manager.activeSliceIndices()).containsExactly(0, 2, 3);
        assertThat(manager.roster().health()).containsEntry(1, Health.SUSPECT_SDC);
        manager.startMonitoring(POLL);
        sleep(30);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        sim.kill(1);
        sleep(5);
        assertThat(manager.availableInactiveSlices()).containsExactly(1);
        manager.close();
    }

    @Test
    void quarantineEndsAfterItsTimeAndLastsLongerTheNextTime() throws Exception {
        sim.corrupt(1);
        var events = new ArrayList<ElasticEvent>();
        var manager = new Manager(sim, ManagerOptions.DEFAULT.quarantine(Duration.ofMinutes(1)));
        manager.onEvent(events::add);
        manager.startMonitoring(POLL);
        sleep(55);
        assertThat(events).isEmpty();
        sleep(10);
        assertThat(events)
                .singleElement()
                .asString()
                .contains("slice 1 computes wrong values: left out for 2m or until");
        sim.heal(1);
        sleep(100);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        sleep(30);
        assertThat(manager.availableInactiveSlices()).containsExactly(1);
        manager.close();
    }

    @Test
    void oneFixedSliceNeedsNoSpecialProgram() {
        var one = Simulation.of(1, 2);
        try (var manager = new Manager(one)) {
            var mesh = Counting.mesh(manager);
            var value =
                    manager.elasticRetry(
                            Retry.once(),
                            attempt -> {
                                var state = Counting.start(one, mesh);
                                for (int i = 0; i < 3; i++) {
                                    state = Counting.next(one, mesh, state, Duration.ofMillis(1));
                                    attempt.completed(state.step());
                                    state = manager.growIfAvailable(mesh, state).state();
                                }
                                return state.sum().item();
                            });
            assertThat(value).isEqualTo(Counting.after(3));
        }
    }

    @Test
    void monitoringStartsOnceStopsAndStartsAgain() throws Exception {
        var manager = monitored(Set.of(0));
        manager.startMonitoring(POLL);
        manager.close();
        manager.close();
        sleep(30);
        assertThat(manager.availableInactiveSlices()).isEmpty();
        manager.startMonitoring(POLL);
        sleep(11);
        assertThat(manager.availableInactiveSlices()).hasSize(3);
        manager.close();
    }

    @Test
    void monitorMayCloseItself() throws Exception {
        var manager = monitored(Set.of(0));
        manager.onEvent(event -> manager.close());
        var before = sim.clock().elapsed();
        sleep(11);
        assertThat(sim.clock().elapsed().minus(before)).isEqualTo(Duration.ofSeconds(11));
        assertThat(manager.availableInactiveSlices()).hasSize(3);
    }

    @Test
    void currentIsOneManagerForEachAllocation() {
        CurrentSlices.set(Optional.of(sim));
        try {
            var first = Manager.current();
            assertThat(Manager.current()).isSameAs(first);
            var other = Simulation.of(2, 1);
            CurrentSlices.set(Optional.of(other));
            assertThat(Manager.current()).isNotSameAs(first);
            assertThat(Manager.current().slices()).isSameAs(other);
        } finally {
            CurrentSlices.set(Optional.empty());
        }
        assertThatThrownBy(Manager::current)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("%slices");
    }

    @Test
    void eventsReadAsLinesForPeople() throws Exception {
        var events = new ArrayList<ElasticEvent>();
        var manager = monitored(Set.of(0, 1, 3));
        manager.onEvent(events::add);
        sim.kill(1);
        sleep(5);
        assertThat(events.stream().map(Object::toString).map(line -> line.substring(14)))
                .containsExactly(
                        "slice 1 lost: process ended by signal 9",
                        "slice 1 is back (generation 2)",
                        "slice 2 is available");
        manager.close();
    }

    @Test
    void failingListenerStopsNoOther() throws Exception {
        var events = new ArrayList<ElasticEvent>();
        var manager = new Manager(sim);
        manager.onEvent(
                event -> {
                    throw new IllegalStateException("listener");
                });
        var subscription = manager.onEvent(events::add);
        sim.withoutReturns().kill(1);
        sleep(1);
        assertThat(events).hasSize(1);
        subscription.close();
        sim.kill(2);
        sleep(1);
        assertThat(events).hasSize(1);
    }

    @Test
    void rosterRefusesWhatCannotBe() {
        var all = List.of(0, 1).stream().collect(Collectors.toSet());
        assertThatThrownBy(
                        () ->
                                new Roster(
                                        0,
                                        all,
                                        Set.of(0),
                                        Set.of(0),
                                        java.util.Map.of(),
                                        java.util.Map.of()))
                .isInstanceOf(UsageError.class);
    }

    private Manager monitored(Set<Integer> active) {
        var manager = new Manager(sim);
        manager.activate(active);
        manager.startMonitoring(POLL);
        return manager;
    }

    private void sleep(int seconds) throws InterruptedException {
        sim.clock().await(Duration.ofSeconds(seconds), () -> false);
    }
}
