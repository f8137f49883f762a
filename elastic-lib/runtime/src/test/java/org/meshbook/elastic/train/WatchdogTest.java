package org.meshbook.elastic.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.sim.Simulation;

class WatchdogTest {
    private final Simulation sim = Simulation.of(1, 1);
    private final ArrayList<Watchdog.Silence> told = new ArrayList<>();

    private void pass(int seconds) throws InterruptedException {
        sim.clock().await(Duration.ofSeconds(seconds), () -> false);
    }

    private Watchdog dog(int cap) {
        return Watchdog.of(sim.clock(), Duration.ofSeconds(10), Duration.ofSeconds(cap), told::add);
    }

    @Test
    void whatIsSlowButTicksIsLeftAloneAndSilenceIsToldEachTime() throws Exception {
        try (var dog = dog(600)) {
            for (int i = 0; i < 8; i++) {
                pass(9);
                dog.tick();
            }
            assertThat(told).isEmpty();
            pass(25);
            assertThat(told).hasSize(2).noneMatch(Watchdog.Silence::capped);
            assertThat(told.getFirst().since()).isEqualTo(Duration.ofSeconds(10));
            assertThat(told.getFirst().toString())
                    .startsWith("no progress for 10 s")
                    .contains("WatchdogTest.whatIsSlowBut");
        }
        pass(60);
        assertThat(told).hasSize(2);
        assertThat(sim.held()).isEqualTo(Simulation.Held.NOTHING);
    }

    @Test
    void ticksExtendTheTimeUpToTheCapOnly() throws Exception {
        try (var dog = dog(60)) {
            for (int i = 0; i < 100; i++) {
                pass(1);
                dog.tick();
            }
            assertThat(told).singleElement().matches(Watchdog.Silence::capped);
            assertThat(told.getFirst().total()).isEqualTo(Duration.ofSeconds(60));
        }
    }
}
