package org.meshbook.elastic.sim;

import java.time.Duration;
import java.util.Random;
import org.meshbook.elastic.manager.ElasticEvent;

/// Faults of one seed: some at moments drawn beforehand, some in the middle of what the program is
/// doing just then: a save, a load, a growth, a wait.
final class Faults {
    private static final int KINDS = 11;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Simulation sim;
    private final Random random;
    private int strikes;

    Faults(Simulation sim, Random random, Duration within) {
        this.sim = sim;
        this.random = random;
        this.strikes = random.nextInt(4);
        for (int i = random.nextInt(9); i > 0; i--) {
            draw(Duration.ofMillis(random.nextLong(within.toMillis())));
        }
    }

    /// Hears of an event, and may strike in what follows it.
    void heard(ElasticEvent event) {
        switch (event) {
            case ElasticEvent.AttemptStarted _ -> strike(60); // the load follows
            case ElasticEvent.Available _ -> strike(50); // the growth follows
            case ElasticEvent.Waiting _ -> strike(400);
            default -> {}
        }
    }

    /// The program has begun a save.
    void saving() {
        strike(30);
    }

    private void strike(int withinMillis) {
        if (strikes > 0 && random.nextInt(4) == 0) {
            strikes--;
            draw(sim.clock().elapsed().plusMillis(random.nextInt(withinMillis)));
        }
    }

    private void draw(Duration at) {
        int slices = sim.view().slices().size();
        int slice = random.nextInt(slices);
        switch (random.nextInt(KINDS)) {
            case 0, 1 -> sim.at(at, () -> sim.kill(slice));
            case 2 -> sim.at(at, () -> sim.hang(slice)); // given up after missed heartbeats
            case 3 -> slow(at, slice);
            case 4 -> sim.at(at, () -> sim.notice(slice, LONG));
            case 5 -> sim.at(at, () -> sim.notice(slice, Duration.ofMillis(20))); // too short
            case 6 -> flap(at, slice);
            case 7 -> two(at, slice, (slice + 1) % slices);
            case 8 -> sim.at(at, () -> sim.suspend(slice, LONG));
            case 9 -> sim.at(at, () -> sim.suspend(slice, Duration.ofMillis(3))); // too short
            default -> wrong(at, slice);
        }
    }

    private void slow(Duration at, int slice) {
        sim.at(at, () -> sim.hang(slice));
        sim.at(at.plusMillis(random.nextInt(700)), () -> sim.resume(slice));
    }

    private void flap(Duration at, int slice) {
        for (int time = 0; time < 4; time++) {
            sim.at(at.plusMillis(150L * time), () -> sim.kill(slice));
            sim.at(at.plusMillis(150L * time + 120), () -> sim.restart(slice));
        }
    }

    private void two(Duration at, int first, int second) {
        sim.at(at, () -> sim.kill(first));
        sim.at(at.plusMillis(random.nextInt(3)), () -> sim.kill(second));
    }

    /// Its memory answers but cannot be read, or it computes wrong values until it is new.
    private void wrong(Duration at, int slice) {
        boolean copies = random.nextBoolean();
        sim.at(
                at,
                () -> {
                    if (copies) {
                        sim.rot(slice);
                    } else {
                        sim.corrupt(slice);
                    }
                });
        sim.at(at.plusSeconds(1), () -> sim.kill(slice));
    }
}
