package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.manager.Recovery.Phase;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Simulation;

class GoodputTest {
    private static final Duration STEP = Duration.ofMillis(100);

    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);

    @Test
    void nothingWasRunYet() {
        assertThat(manager.goodput()).hasToString("no run was made yet");
        assertThat(manager.goodput().share()).isZero();
    }

    @Test
    void quietRunIsItsStartAndItsSteps() {
        run(10, -1);
        var goodput = manager.goodput();
        assertThat(goodput.starting()).isEqualTo(STEP.plusMillis(2));
        assertThat(goodput.stepping()).isEqualTo(STEP.multipliedBy(9));
        assertThat(goodput.total()).isEqualTo(goodput.starting().plus(goodput.stepping()));
        assertThat(goodput.steppingEfficiency()).isEqualTo(1);
        assertThat(goodput.availableEfficiency()).isEqualTo(1);
    }

    @Test
    void partsOfARunWithALossAndAGrowthAddUp() {
        run(40, 15);
        var goodput = manager.goodput();
        var losses = goodput.losses().values().stream().reduce(Duration.ZERO, Duration::plus);
        var recoveries = manager.recoveries().all();
        assertThat(recoveries).hasSize(2);
        assertThat(losses).isEqualTo(recoveries.getFirst().total());
        assertThat(goodput.growing()).isEqualTo(recoveries.getLast().total());
        assertThat(goodput.losses().get(Phase.DETECT)).isEqualTo(Duration.ofMillis(50));
        assertThat(goodput.stepping())
                .isEqualTo(
                        goodput.total()
                                .minus(goodput.starting())
                                .minus(losses)
                                .minus(goodput.growing()));
        assertThat(goodput.share()).isBetween(0.7, 0.95);
    }

    @Test
    void slicesInUseAreWeightedByTheTimeOfSteps() {
        sim.withoutReturns();
        run(40, 20);
        var goodput = manager.goodput();
        // about half of the steps on four slices, half on three
        assertThat(goodput.steppingEfficiency()).isCloseTo(0.875, within(0.02));
        assertThat(goodput.availableEfficiency()).isCloseTo(0.875, within(0.02));
        assertThat(goodput.toString())
                .contains("time went into", "slices lost: replay", "were healthy");
    }

    @Test
    void everyRunHasItsOwnAccount() {
        run(40, 15);
        run(10, -1);
        assertThat(manager.goodput().losses().values()).allMatch(Duration::isZero);
    }

    @Test
    void recoverySaysItsCauseAndWhatWasRead() {
        run(40, 15);
        var loss = manager.recoveries().all().getFirst();
        assertThat(loss.cause()).startsWith("slice 2 lost: ");
        assertThat(loss.restored()).hasSize(1);
        assertThat(loss.restored().getFirst().outcome())
                .isEqualTo("restored step 10 (77 B) from the peer on slice 1");
        assertThat(loss.restored().getFirst().refused()).containsExactly("step 12: torn");
    }

    private void run(int steps, int killAt) {
        manager.elasticRetry(
                Retry.atLeast(2),
                attempt -> {
                    if (attempt.number() > 1) {
                        manager.tell(
                                new ElasticEvent.Restored(
                                        sim.clock().now(),
                                        10,
                                        Set.of(1),
                                        77,
                                        "peer",
                                        List.of("step 12: torn")));
                    }
                    for (long step = attempt.number() == 1 ? 0 : killAt - 5; step < steps; step++) {
                        if (attempt.number() == 1 && step == killAt) {
                            sim.kill(2);
                        }
                        pause();
                        attempt.completed(step);
                        manager.growIfAvailable(Counting.mesh(manager), List.of());
                    }
                    return 0;
                });
    }

    private void pause() {
        try {
            sim.clock().await(STEP, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
