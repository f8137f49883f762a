package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.manager.Recovery.Phase;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Simulation;

class RecoveryTest {
    private static final Duration STEP = Duration.ofMillis(100);

    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);
    private final List<String> told = new ArrayList<>();

    @Test
    void phasesAddUpFromTheHeadsEventToTheLostStep() {
        run();
        var recovery = manager.recoveries().all().getFirst();
        assertThat(recovery.growth()).isFalse();
        assertThat(recovery.slices()).containsExactly(2);
        assertThat(recovery.step()).isEqualTo(15);
        assertThat(recovery.from()).isEqualTo(4);
        assertThat(recovery.to()).isEqualTo(3);
        assertThat(recovery.complete()).isTrue();
        // the head told the loss 50 ms after the kill; the step took 100 ms
        assertThat(recovery.phase(Phase.DETECT)).isEqualTo(Duration.ofMillis(50));
        assertThat(recovery.phase(Phase.WAIT)).isEqualTo(Duration.ofMillis(2));
        assertThat(recovery.phase(Phase.RESTORE)).isEqualTo(Duration.ofMillis(30));
        assertThat(recovery.phase(Phase.COMPILE)).isEqualTo(Duration.ofMillis(40));
        assertThat(recovery.phase(Phase.REMESH)).isEqualTo(Duration.ofMillis(7));
        assertThat(recovery.phase(Phase.REPLAY)).isEqualTo(STEP.multipliedBy(5));
        assertThat(recovery.replayed()).isEqualTo(5);
        assertThat(recovery.bytes()).isEqualTo(1_234);
        assertThat(recovery.total()).isEqualTo(Duration.ofMillis(50 + 2 + 30 + 40 + 7 + 500));
    }

    @Test
    void recoveryIsToldWhenItIsOverAndReadsWell() {
        manager.onEvent(event -> told.add(event.toString()));
        run();
        assertThat(told).anyMatch(line -> line.contains("recovered in 629 ms: detect 50 ms"));
        assertThat(manager.recoveries().toString())
                .contains("lost slice 2", "4 → 3", "replay", "5 steps", "1234 B");
    }

    @Test
    void growthIsAccountedFromTheReturnToTheNextStep() {
        manager.onEvent(event -> told.add(event.toString()));
        manager.elasticRetry(
                Retry.atLeast(2),
                attempt -> {
                    for (long step = 0; step < 40; step++) {
                        if (attempt.number() == 1 && step == 3) {
                            sim.kill(1);
                        }
                        pause(STEP);
                        attempt.completed(step);
                        manager.growIfAvailable(Counting.mesh(manager), List.of());
                    }
                    return 0;
                });
        var growth = manager.recoveries().all().getLast();
        assertThat(growth.growth()).isTrue();
        assertThat(growth.slices()).containsExactly(1);
        assertThat(growth.from()).isEqualTo(3);
        assertThat(growth.to()).isEqualTo(4);
        assertThat(growth.phase(Phase.DETECT)).isEqualTo(Duration.ofMillis(2));
        assertThat(growth.phase(Phase.WAIT)).isLessThanOrEqualTo(STEP);
        assertThat(growth.phase(Phase.REMESH)).isEqualTo(STEP.plusMillis(2));
        assertThat(growth.replayed()).isZero();
        assertThat(manager.recoveries().toString()).contains("grew by slice 1", "3 → 4");
        assertThat(told).last().asString().contains("finished in attempt 2");
    }

    @Test
    void lossDuringARecoveryCutsItShort() {
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    for (long step = 0; step < 10; step++) {
                        if (attempt.number() < 3 && step == 6 - 2 * attempt.number()) {
                            sim.kill(attempt.number());
                            pause(STEP);
                        }
                        attempt.completed(step);
                    }
                    return 0;
                });
        assertThat(manager.recoveries().all())
                .extracting(Recovery::complete)
                .containsExactly(false, true);
        assertThat(manager.recoveries().all()).extracting(Recovery::step).containsExactly(4L, 4L);
        assertThat(manager.recoveries().toString()).contains("cut short");
    }

    @Test
    void otherThreadsNeverMissARecoveryWhileItSettles() throws InterruptedException {
        var over = new AtomicBoolean();
        var missed = new AtomicBoolean();
        var reader =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    int seen = 0;
                                    while (!over.get()) {
                                        int now = manager.recoveries().all().size();
                                        missed.compareAndSet(false, now < seen);
                                        seen = now;
                                    }
                                });
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    if (attempt.number() <= 300) {
                        sim.kill(1 + attempt.number() % 3);
                        pause(Duration.ofSeconds(3));
                    }
                    attempt.completed(attempt.number());
                    return 0;
                });
        over.set(true);
        reader.join();
        assertThat(missed).isFalse();
        assertThat(manager.recoveries().all()).hasSize(300);
    }

    @Test
    void nothingLostSaysSo() {
        assertThat(manager.recoveries().toString()).isEqualTo("no slice was lost or gained");
    }

    private void run() {
        sim.withoutReturns();
        manager.elasticRetry(
                Retry.atLeast(2),
                attempt -> {
                    long first = 0;
                    if (attempt.number() > 1) {
                        span("restore", 30, 1_234);
                        pause(Duration.ofMillis(7));
                        span("compile", 40, 0);
                        first = 11;
                    }
                    for (long step = first; step <= 20; step++) {
                        if (attempt.number() == 1 && step == 15) {
                            sim.kill(2);
                        }
                        pause(STEP);
                        attempt.completed(step);
                    }
                    return 0;
                });
    }

    private void span(String phase, int millis, long bytes) {
        var start = sim.clock().elapsed();
        pause(Duration.ofMillis(millis));
        sim.timeline().add(phase, start, sim.clock().elapsed(), bytes);
    }

    private void pause(Duration time) {
        try {
            sim.clock().await(time, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
