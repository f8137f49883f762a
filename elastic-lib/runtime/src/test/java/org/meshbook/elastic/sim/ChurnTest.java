package org.meshbook.elastic.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;

class ChurnTest {
    private static final int SLICES = 4_096;

    @Test
    @Timeout(120)
    void thousandsOfSlicesComeAndGoUnderOneManager() throws InterruptedException {
        var sim = Simulation.of(SLICES, 1);
        var random = new Random(5);
        var lost = new ArrayList<Integer>();
        int losses = 0;
        try (var manager = new Manager(sim);
                var _ =
                        manager.onEvent(
                                event -> {
                                    if (event instanceof ElasticEvent.SliceDown down) {
                                        lost.add(down.slice());
                                    }
                                })) {
            manager.startMonitoring(Duration.ofSeconds(10));
            for (int i = 0; i < 3_000; i++) {
                sim.kill(random.nextInt(SLICES));
                losses += lost.size();
                drop(manager, lost);
                manager.tryClaim(manager.availableInactiveSlices());
                sim.clock().await(Duration.ofMillis(10), () -> false);
                check(manager);
            }
            // the rest comes back
            sim.clock().await(Duration.ofSeconds(5), () -> false);
            drop(manager, lost);
            sim.clock().await(Duration.ofSeconds(15), () -> false);
            manager.tryClaim(manager.availableInactiveSlices());
            assertThat(losses).isGreaterThan(2_500);
            assertThat(manager.activeSliceCount()).isEqualTo(SLICES);
        }
        assertThat(sim.held()).isEqualTo(Simulation.Held.NOTHING);
    }

    private static void drop(Manager manager, ArrayList<Integer> lost) {
        var left = new TreeSet<>(manager.activeSliceIndices());
        left.removeAll(Set.copyOf(lost));
        lost.clear();
        manager.activate(left);
    }

    /// What every reader may rely on at every moment.
    private static void check(Manager manager) {
        var now = manager.roster();
        assertThat(now.active().size() + now.inactive().size()).isEqualTo(SLICES);
        assertThat(now.adopted().keySet()).isEqualTo(now.active());
        assertThat(now.inactive().containsAll(now.available())).isTrue();
    }
}
