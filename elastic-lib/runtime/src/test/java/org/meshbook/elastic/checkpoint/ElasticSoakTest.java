package org.meshbook.elastic.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Counting.State;
import org.meshbook.elastic.sim.SimTimes;
import org.meshbook.elastic.sim.Simulation;

@Timeout(300)
class ElasticSoakTest {
    private static final Duration STEP = Duration.ofMillis(40);

    /// What one run did.
    private record Run(double value, Duration took, int losses, long replayed, String story) {}

    @Test
    void anyScheduleOfFaultsEndsWithTheFaultFreeValue() {
        int losses = 0;
        for (int seed = 0; seed < 500; seed++) {
            var run = run(seed, 60);
            assertThat(run.value()).as("seed %d", seed).isEqualTo(Counting.after(60));
            losses += run.losses();
        }
        assertThat(losses).isGreaterThan(500);
    }

    @Test
    void oneSeedTellsOneStory() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(run(seed, 60)).isEqualTo(run(seed, 60));
        }
    }

    @Test
    void hoursOfTrainingPassInASecond() {
        var sim = Simulation.of(4, 2, SimTimes.LOCAL.restart(Duration.ofMinutes(5)));
        for (int hour = 1; hour < 10; hour++) {
            int slice = hour % 4;
            sim.at(Duration.ofHours(hour), () -> sim.kill(slice));
        }
        var manager = new Manager(sim);
        double value = train(sim, manager, Duration.ofMinutes(1), 600, new TreeMap<>());
        assertThat(value).isEqualTo(Counting.after(600));
        assertThat(sim.clock().elapsed()).isGreaterThan(Duration.ofHours(10));
        assertThat(manager.activeSliceCount()).isEqualTo(4);
    }

    @Test
    void thousandsOfSlicesWork() {
        var sim = Simulation.of(3_000, 1);
        for (int i = 0; i < 20; i++) {
            int slice = 17 * i;
            sim.at(Duration.ofMillis(300L * i), () -> sim.kill(slice));
        }
        double value = train(sim, new Manager(sim), Duration.ofMillis(200), 40, new TreeMap<>());
        assertThat(value).isEqualTo(Counting.after(40));
    }

    private static Run run(int seed, int steps) {
        var random = new Random(seed);
        var sim =
                Simulation.of(
                        2 + random.nextInt(4),
                        1 + random.nextInt(2),
                        SimTimes.LOCAL
                                .restart(Duration.ofMillis(100 + random.nextInt(2_000)))
                                .copy(Duration.ofMillis(5 + random.nextInt(200))));
        var story = new ArrayList<String>();
        var manager = new Manager(sim);
        manager.onEvent(event -> story.add(event.toString()));
        schedule(sim, random);
        var committed = new TreeMap<Long, Double>();
        double value = train(sim, manager, STEP, steps, committed);
        // every committed step holds the value of a fault-free run: none skipped, none done twice
        committed.forEach(
                (step, sum) ->
                        assertThat(sum)
                                .as("seed %d, step %d", seed, step)
                                .isEqualTo(Counting.after(step)));
        assertThat(committed.keySet()).as("seed %d", seed).hasSize(steps).first().isEqualTo(1L);
        var recoveries = manager.recoveries().all();
        recoveries.forEach(
                recovery ->
                        assertThat(recovery.phases().values())
                                .as("seed %d: %s", seed, recovery)
                                .noneMatch(Duration::isNegative));
        return new Run(
                value,
                sim.clock().elapsed(),
                (int) recoveries.stream().filter(recovery -> !recovery.growth()).count(),
                recoveries.stream().mapToLong(recovery -> recovery.replayed()).sum(),
                String.join("\n", story));
    }

    /// Kills, stops, stops that end in time, leaves and flaps at random moments.
    private static void schedule(Simulation sim, Random random) {
        int slices = sim.view().slices().size();
        for (int i = random.nextInt(10); i >= 0; i--) {
            var at = Duration.ofMillis(random.nextInt(4_000));
            int slice = random.nextInt(slices);
            switch (random.nextInt(6)) {
                case 0, 1 -> sim.at(at, () -> sim.kill(slice));
                case 2 -> sim.at(at, () -> sim.hang(slice));
                case 3 -> {
                    sim.at(at, () -> sim.hang(slice));
                    sim.at(at.plusMillis(random.nextInt(900)), () -> sim.resume(slice));
                }
                case 4 -> sim.at(at, () -> sim.leave(slice));
                default -> {
                    for (int flap = 0; flap < 4; flap++) {
                        sim.at(at.plusMillis(150L * flap), () -> sim.kill(slice));
                        sim.at(at.plusMillis(150L * flap + 120), () -> sim.restart(slice));
                    }
                }
            }
        }
    }

    private static double train(
            Simulation sim,
            Manager manager,
            Duration time,
            long steps,
            TreeMap<Long, Double> committed) {
        var snapshots = new Snapshotter(manager);
        var last =
                manager.elasticRetry(
                        Retry.atLeast(1).noProgressAfter(50),
                        attempt -> {
                            var mesh = Counting.mesh(manager);
                            State state =
                                    snapshots.restoreLatestOr(
                                            mesh, fresh -> Counting.start(sim, fresh));
                            while (state.step() < steps) {
                                state = Counting.next(sim, mesh, state, time);
                                committed.put(state.step(), state.sum().toHost().get(0));
                                if (state.step() % 5 == 0) {
                                    snapshots.save(state.step(), state);
                                }
                                attempt.completed(state.step());
                                var grown = manager.growIfAvailable(mesh, state);
                                mesh = grown.mesh();
                                state = grown.state();
                            }
                            return List.of(state.sum().toHost().get(0));
                        });
        snapshots.join();
        manager.close();
        return last.getFirst();
    }
}
