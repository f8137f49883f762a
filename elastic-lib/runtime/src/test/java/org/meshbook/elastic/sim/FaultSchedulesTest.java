package org.meshbook.elastic.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.manager.CapacityTimeout;
import org.meshbook.elastic.manager.ElasticGaveUp;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;

/// Seeded schedules of faults over the real manager, retry, snapshotter and reader on virtual
/// slices. `-Dmeshbook.sim.seed=N` runs one, `-Dmeshbook.sim.seeds=N` so many instead of 1,000; the
/// profile `sim` runs 100,000.
@Timeout(3_600)
class FaultSchedulesTest {
    private static final int SEEDS = 1_000;

    /// How one schedule ended: with the value, or with the error that documents say.
    private record Outcome(boolean finished, String error, int losses, String story) {}

    @Test
    void everyScheduleEndsWithTheFaultFreeValueOrTheDocumentedErrorAndLeavesNothingBehind() {
        var one = Long.getLong("meshbook.sim.seed");
        if (one != null) {
            run(one);
            return;
        }
        int finished = 0;
        int losses = 0;
        int seeds = Integer.getInteger("meshbook.sim.seeds", SEEDS);
        for (long seed = 0; seed < seeds; seed++) {
            var outcome = run(seed);
            finished += outcome.finished() ? 1 : 0;
            losses += outcome.losses();
        }
        // most recover, and the faults do hit
        assertThat(finished).isGreaterThan(seeds * 8 / 10);
        assertThat(losses).isGreaterThan(seeds);
    }

    @Test
    void oneSeedTellsOneStory() {
        for (long seed = 0; seed < 25; seed++) {
            assertThat(run(seed)).isEqualTo(run(seed));
        }
    }

    private static Outcome run(long seed) {
        try {
            return outcome(seed);
        } catch (Throwable e) {
            throw new AssertionError(
                    ("fault schedule %d failed; replay: mvn -pl elastic-lib/runtime -am test"
                                    + " -Dtest=FaultSchedulesTest"
                                    + " -Dsurefire.failIfNoSpecifiedTests=false"
                                    + " -Dmeshbook.sim.seed=%d")
                            .formatted(seed, seed),
                    e);
        }
    }

    private static Outcome outcome(long seed) {
        var random = new Random(seed);
        var sim = Simulation.of(2 + random.nextInt(4), 1 + random.nextInt(2), times(random));
        var story = new ArrayList<String>();
        var manager = new Manager(sim);
        var faults = new Faults(sim, random, Duration.ofSeconds(4));
        manager.onEvent(event -> story.add(event.toString()));
        manager.onEvent(faults::heard);
        var training = new Training(sim, manager, faults, random);
        boolean finished = false;
        var error = "";
        try {
            double value = training.run(retry(random));
            finished = true;
            if (!training.scaled()) {
                assertThat(value).isEqualTo(Training.faultless().get((long) Training.STEPS));
            }
        } catch (ElasticGaveUp | CapacityTimeout documented) {
            error = String.valueOf(documented.getMessage());
            assertThat(error).doesNotContain("\n");
        }
        manager.close();
        assertThat(training.last().exactlyOnce()).as("%s", training.last()).isTrue();
        assertThat(sim.held()).as("left behind").isEqualTo(Simulation.Held.NOTHING);
        var losses =
                manager.recoveries().all().stream().filter(recovery -> !recovery.growth()).count();
        return new Outcome(finished, error, (int) losses, String.join("\n", story));
    }

    private static SimTimes times(Random random) {
        return SimTimes.LOCAL
                .restart(Duration.ofMillis(100 + random.nextInt(2_000)))
                .copy(Duration.ofMillis(5 + random.nextInt(200)));
    }

    private static Retry retry(Random random) {
        var retry = Retry.atLeast(1 + random.nextInt(2)).noProgressAfter(12);
        return random.nextInt(4) == 0 ? retry.within(Duration.ofMillis(600)) : retry;
    }
}
