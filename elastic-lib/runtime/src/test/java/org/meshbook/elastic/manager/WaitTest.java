package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.sim.Simulation;

class WaitTest {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Duration PROBE = Duration.ofMillis(2);

    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);
    private final Duration start = sim.clock().elapsed();

    @Test
    void enoughSlicesMeanOneProbeAndNoSleep() {
        assertThat(manager.waitForSlices(2, POLL, Retry.FOREVER)).containsExactly(0, 1, 2, 3);
        assertThat(waited()).isEqualTo(PROBE);
    }

    @Test
    void returnEndsTheWaitWithoutWaitingForThePoll() {
        sim.kill(2);
        assertThat(manager.waitForSlices(4, Duration.ofHours(1), Retry.FOREVER)).hasSize(4);
        assertThat(waited()).isLessThan(Duration.ofMillis(2_060));
    }

    @Test
    void stoppedSliceIsFoundByThePollWhenItGoesOn() {
        sim.withoutReturns();
        sim.hang(1);
        sim.at(start.plusMillis(700), () -> sim.resume(1));
        assertThat(manager.waitForSlices(4, Duration.ofMillis(300), Retry.FOREVER)).hasSize(4);
    }

    @Test
    void lastSleepIsClippedAndAProbeFallsOnTheDeadline() {
        sim.withoutReturns().kill(2);
        var timeout =
                catchThrowableOfType(
                        CapacityTimeout.class,
                        () -> manager.waitForSlices(4, POLL, Duration.ofSeconds(25)));
        assertThat(timeout.elapsed()).isEqualTo(Duration.ofSeconds(25).plus(PROBE));
        assertThat(timeout.found()).containsExactly(0, 1, 3);
    }

    @Test
    void timeoutSaysWhatWasWantedFoundAndWhoIsMissing() {
        sim.withoutReturns().kill(2);
        var timeout =
                catchThrowableOfType(
                        CapacityTimeout.class,
                        () -> manager.waitForSlices(4, POLL, Duration.ofMinutes(10)));
        assertThat(timeout)
                .hasMessage(
                        "wanted 4 slices within 10m, 3 answer (0, 1, 3);"
                                + " slice 2 last seen 9m59s ago; see %slices");
        assertThat(timeout.wanted()).isEqualTo(4);
        assertThat(timeout.missing()).containsOnlyKeys(2);
    }

    @Test
    void waitingIsToldOnceForEachSetThatAnswers() {
        var events = new ArrayList<ElasticEvent>();
        manager.onEvent(
                event -> {
                    if (event instanceof ElasticEvent.Waiting) {
                        events.add(event);
                    }
                });
        sim.withoutReturns().kill(2);
        sim.kill(3);
        sim.at(start.plusSeconds(35), () -> sim.restart(3));
        sim.at(start.plusSeconds(65), () -> sim.restart(2));
        manager.waitForSlices(4, POLL, Retry.FOREVER);
        assertThat(events).hasSize(2);
        assertThat(events.getFirst().toString()).contains("waiting for 4 slices: 2 answer (0, 1)");
        assertThat(events.getLast().toString()).contains("3 answer (0, 1, 3)", "slice 2 last seen");
    }

    @Test
    void pollIsAPeriodNotAPause() {
        sim.withoutReturns().kill(2);
        var probes = new ArrayList<Duration>();
        var view = sim.view();
        assertThat(view.slices()).hasSize(4);
        sim.hang(3);
        sim.at(start.plusMillis(500), () -> sim.resume(3));
        manager.onEvent(event -> probes.add(waited()));
        // the first probe lasts 502 ms; the second begins 1 s after the first, not 1.5 s
        assertThatThrownBy(
                        () ->
                                manager.waitForSlices(
                                        4, Duration.ofSeconds(1), Duration.ofMillis(1_100)))
                .isInstanceOf(CapacityTimeout.class);
        assertThat(waited()).isEqualTo(Duration.ofMillis(1_100).plus(PROBE));
    }

    @Test
    void stopEndsTheWaitAndKeepsTheFlag() {
        sim.withoutReturns().kill(2);
        sim.at(start.plusSeconds(33), sim::interrupt);
        assertThatThrownBy(() -> manager.waitForSlices(4, POLL, Retry.FOREVER))
                .isInstanceOf(Interrupted.class)
                .hasMessageContaining("waiting for 4 slices");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(waited()).isEqualTo(Duration.ofSeconds(33));
    }

    @Test
    void closedManagerWaitsNoMore() {
        sim.withoutReturns().kill(2);
        sim.at(start.plusSeconds(33), manager::close);
        assertThatThrownBy(() -> manager.waitForSlices(4, Duration.ofHours(1), Retry.FOREVER))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("closed while it waited for 4 slices");
        assertThat(waited()).isEqualTo(Duration.ofSeconds(33));
    }

    @Test
    void moreThanTheAllocationIsRefused() {
        assertThatThrownBy(() -> manager.waitForSlices(5, POLL, POLL))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("the allocation has 4");
    }

    private Duration waited() {
        return sim.clock().elapsed().minus(start);
    }
}
