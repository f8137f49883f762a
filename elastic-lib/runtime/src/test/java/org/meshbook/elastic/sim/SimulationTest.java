package org.meshbook.elastic.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;

class SimulationTest {
    private static final Duration TICK = Duration.ofMillis(10);

    private final Simulation sim = Simulation.of(3, 2);

    @Test
    void lossIsFoundOnlyWhenAValueIsTouched() throws Exception {
        var there = sim.put(Array.scalar(7.0), on(0, 1, 2).replicated());
        sim.kill(1);
        assertThat(there.type().shape().rank()).isZero();
        var lost = catchThrowableOfType(SliceLost.class, there::toHost);
        assertThat(lost.slices()).containsExactly(1);
        assertThat(lost.kind()).isEqualTo(LossKind.PROCESS_GONE);
        assertThat(lost.certain()).isTrue();
    }

    @Test
    void poisonStaysWhenTheSliceReturns() throws Exception {
        var old = sim.put(Array.scalar(7.0), on(0, 1).replicated());
        sim.kill(1);
        sim.clock().await(Duration.ofSeconds(10), () -> false);
        assertThat(sim.view().healthy()).containsExactly(0, 1, 2);
        assertThatThrownBy(old::toHost).isInstanceOf(SliceLost.class);
        assertThat(sim.put(Array.scalar(8.0), on(0, 1).replicated()).toHost().get(0)).isEqualTo(8);
    }

    @Test
    void poisonPropagatesAndDispatchSucceeds() {
        var good = sim.put(Array.scalar(1.0), on(0, 2).replicated());
        var bad = sim.put(Array.scalar(2.0), on(0, 1).replicated());
        assertThat(bad.toHost().get(0)).isEqualTo(2);
        sim.kill(1);
        var mixed = add(on(0, 2), good, bad);
        var further = add(on(0, 2), mixed, good);
        assertThatThrownBy(further::toHost).isInstanceOf(SliceLost.class);
        assertThat(good.toHost().get(0)).isEqualTo(1);
    }

    @Test
    void lossOfAnInputPoisonsWhatIsStillBeingComputed() throws Exception {
        var input = sim.put(Array.scalar(1.0), on(1).replicated());
        sim.clock().await(TICK, () -> false);
        var slow =
                sim.compute(
                        on(0).replicated(), Duration.ofSeconds(1), List.of(input), v -> v.get(0));
        var quick = sim.compute(on(0).replicated(), TICK, List.of(input), v -> v.get(0));
        sim.at(Duration.ofMillis(100), () -> sim.kill(1));
        sim.clock().await(Duration.ofSeconds(2), () -> false);
        assertThatThrownBy(slow::toHost).isInstanceOf(SliceLost.class);
        assertThat(quick.toHost().get(0)).isEqualTo(1);
    }

    @Test
    void readWaitsUntilTheHeadTellsTheLoss() {
        var there = sim.put(Array.scalar(7.0), on(1).replicated());
        sim.kill(1);
        var before = sim.clock().elapsed();
        assertThatThrownBy(there::toHost).isInstanceOf(SliceLost.class);
        assertThat(sim.clock().elapsed().minus(before)).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void stoppedSliceIsGivenUpAfterMissedHeartbeats() throws Exception {
        var events = new ArrayList<SliceEvent>();
        sim.watch(events::add);
        sim.hang(2);
        assertThat(sim.probe(Set.of(0, 2), Duration.ofMillis(100)))
                .containsEntry(0, Health.HEALTHY)
                .containsEntry(2, Health.HUNG);
        sim.clock().await(Duration.ofSeconds(1), () -> false);
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        SliceEvent.Lost.class,
                        lost -> assertThat(lost.kind()).isEqualTo(LossKind.HUNG));
    }

    @Test
    void stoppedSliceThatGoesOnInTimeLosesNothing() {
        var there = sim.put(Array.scalar(7.0), on(2).replicated());
        sim.hang(2);
        sim.at(Duration.ofMillis(300), () -> sim.resume(2));
        assertThat(there.toHost().get(0)).isEqualTo(7);
        assertThat(sim.clock().elapsed()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void suspendedSliceLosesNothingAndWhoeverAsksWaits() {
        var events = new ArrayList<SliceEvent>();
        sim.watch(events::add);
        var there = sim.put(Array.scalar(7.0), on(1).replicated());
        sim.suspend(1, Duration.ofSeconds(1));
        assertThat(there.toHost().get(0)).isEqualTo(7);
        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Draining", "Suspended", "Resumed");
        var times = SimTimes.LOCAL;
        assertThat(sim.clock().elapsed())
                .isEqualTo(times.copy().plus(times.restart()).plus(times.load()));
        assertThat(sim.view().slices().get(1).generation()).isEqualTo(1);
        assertThat(sim.view().healthy()).containsExactly(0, 1, 2);
    }

    @Test
    void imageThatIsNotCompleteInTimeIsALoss() throws Exception {
        var there = sim.put(Array.scalar(7.0), on(1).replicated());
        sim.suspend(1, Duration.ofMillis(1));
        var lost = catchThrowableOfType(SliceLost.class, there::toHost);
        assertThat(lost.kind()).isEqualTo(LossKind.ANNOUNCED);
        sim.clock().await(Duration.ofSeconds(5), () -> false);
        assertThat(sim.view().slices().get(1).generation()).isEqualTo(2);
    }

    @Test
    void sliceThatDiesWhileItIsSuspendedIsALoss() {
        var there = sim.put(Array.scalar(7.0), on(1).replicated());
        sim.suspend(1, Duration.ofSeconds(1));
        sim.at(Duration.ofMillis(500), () -> sim.kill(1));
        var lost = catchThrowableOfType(SliceLost.class, there::toHost);
        assertThat(lost.slices()).containsExactly(1);
    }

    @Test
    void returnIsANewGenerationAndOneEvent() throws Exception {
        var events = new ArrayList<SliceEvent>();
        sim.watch(events::add);
        sim.kill(0);
        sim.clock().await(Duration.ofSeconds(5), () -> false);
        assertThat(events).hasSize(2);
        assertThat(events.getLast()).isInstanceOf(SliceEvent.Joined.class);
        assertThat(sim.view().slices().getFirst().generation()).isEqualTo(2);
        assertThat(sim.view().generation()).isEqualTo(2);
    }

    @Test
    void closedScopeNamesTheArrayAndItself() {
        var scope = sim.openScope("attempt 1");
        var freed = sim.put(Array.scalar(7.0), on(0).replicated());
        var kept = sim.put(Array.scalar(8.0), on(0).replicated());
        scope.keep(kept);
        scope.close();
        assertThatThrownBy(freed::toHost)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("attempt 1")
                .hasMessageContaining("f64");
        assertThat(kept.toHost().get(0)).isEqualTo(8);
    }

    @Test
    void copyDiesWithItsProcesses() throws Exception {
        var there = sim.put(Array.scalar(7.0), on(0, 1, 2).replicated());
        var copy = sim.copyToHosts(List.of(there));
        assertThat(copy.await(Duration.ofSeconds(1))).isTrue();
        sim.kill(1);
        assertThat(copy.readable(Set.of(0, 1, 2))).containsExactly(0, 2);
        sim.clock().await(Duration.ofSeconds(5), () -> false);
        assertThat(copy.readable(Set.of(0, 1, 2))).containsExactly(0, 2);
        var loaded = copy.load(Set.of(2), List.of(on(0, 1).replicated()));
        assertThat(loaded.getFirst().toHost().get(0)).isEqualTo(7);
    }

    @Test
    void threadsTakeTurnsInOrderOfTime() throws Exception {
        var said = new ArrayList<String>();
        for (var name : List.of("a", "b")) {
            sim.clock()
                    .start(
                            name,
                            () -> {
                                for (int i = 0; i < 3; i++) {
                                    said.add(name + sim.clock().elapsed().toSeconds());
                                    pause(name.equals("a") ? 2 : 3);
                                }
                            });
        }
        sim.clock().await(Duration.ofMinutes(1), () -> false);
        assertThat(said).containsExactly("a0", "b0", "a2", "b3", "a4", "b6");
    }

    @Test
    void everyThreadWaitingForEverIsAnErrorNotAHang() {
        assertThatThrownBy(
                        () ->
                                sim.clock()
                                        .await(Duration.ofSeconds(Long.MAX_VALUE / 8), () -> false))
                .hasMessageContaining("for ever");
    }

    private void pause(int seconds) {
        try {
            sim.clock().await(Duration.ofSeconds(seconds), () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Mesh on(int... slices) {
        var set = new java.util.HashSet<Integer>();
        for (int slice : slices) {
            set.add(slice);
        }
        var devices = sim.devices().stream().filter(d -> set.contains(d.slice())).toList();
        return Mesh.of(devices, axis("replica", slices.length), axis("model", 2));
    }

    private Array add(Mesh mesh, Array a, Array b) {
        return sim.compute(
                mesh.replicated(),
                TICK,
                List.of(a, b),
                v -> Array.scalar(v.get(0).get(0) + v.get(1).get(0)));
    }
}
