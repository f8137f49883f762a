package org.meshbook.elastic.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.checkpoint.tier.CheckpointFailed;
import org.meshbook.elastic.manager.CapacityTimeout;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.ElasticGaveUp;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;

/// Schedules of real faults, each chosen by a seed: every run ends with the value of a run without
/// faults, or with a documented error.
///
/// `-Dmeshbook.chaos.seed=S -Dmeshbook.chaos.schedules=1` replays the schedule that a failure
/// names.
@Tag("chaos")
class RealFaultsTest {
    private static final int SCHEDULES = Integer.getInteger("meshbook.chaos.schedules", 20);
    private static final long STEPS = 30;
    private static final int SLICES = 4;
    private static final int SETTLED = 6;
    private static final int WAYS = 6;
    private static final int LEAVING = 5;
    private static final ChaosRun.Boundary NOTHING = (step, attempt) -> {};
    private static final int SLACK = 12;
    private static final List<FaultKind> KINDS = List.of(FaultKind.values());

    /// Threads and open files of this process and of the head.
    private record Held(int threads, long files, long headThreads, long headFiles) {}

    @Test
    @Timeout(3_600)
    void everyScheduleOfRealFaultsIsRecoveredFromAndNothingIsLeft() throws Exception {
        long first = Long.getLong("meshbook.chaos.seed", System.nanoTime() % 1_000_000);
        System.out.println("schedules of real faults from seed " + first);
        var run = new ChaosRun(SLICES, Duration.ofSeconds(1));
        try {
            var before = held(run);
            for (int i = 0; i < SCHEDULES; i++) {
                if (i == Math.min(SETTLED, SCHEDULES - 1)) {
                    before = held(run);
                }
                schedule(run, first + i);
            }
            assertThat(run.whole()).isTrue();
            var settled = before;
            // Links of the last slices that were lost close a little later.
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertFlat(settled, held(run)));
        } finally {
            assertThat(run.end()).as("processes left").isEmpty();
        }
    }

    private static void schedule(ChaosRun run, long seed) throws Exception {
        var random = new SplittableRandom(seed);
        var name = "run-" + seed;
        if (seed % WAYS == LEAVING) {
            // The second fault strikes while nobody is there, or while the slices are taken over.
            long half = 6 + random.nextLong(STEPS / 2);
            boolean going =
                    part(run, seed, name, half, chaos -> one(chaos, random, half - 1))
                            .filter(chaos -> fault(chaos, random).now() != null)
                            .isPresent();
            run.leaveAndComeBack();
            if (!going) {
                return;
            }
        }
        var unused = part(run, seed, name, STEPS, chaos -> arm(run, chaos, random, seed));
    }

    /// Arms what strikes while the program runs.
    private interface Arming {
        ChaosRun.Boundary arm(Chaos chaos) throws Exception;
    }

    /// Runs a program, or goes on with it, until a step.
    ///
    /// @return what it was disturbed by; empty if it ended with a documented error
    private static Optional<Chaos> part(
            ChaosRun run, long seed, String name, long until, Arming arming) throws Exception {
        assertThat(run.whole()).as("seed %d: all slices are there", seed).isTrue();
        var manager = new Manager(run.runtime());
        var chaos = Chaos.on(manager);
        try {
            var retry = Retry.atLeast(1).within(Duration.ofSeconds(90)).noProgressAfter(10);
            run.train(manager, name, retry, until, arming.arm(chaos));
            return Optional.of(chaos);
        } catch (AssertionError wrong) {
            throw new AssertionError(
                    "seed %d: %s%n%s".formatted(seed, wrong, chaos.report()), wrong);
        } catch (CapacityTimeout | ElasticGaveUp | CheckpointFailed documented) {
            System.out.printf("seed %d: %s%n", seed, documented.getMessage());
            return Optional.empty();
        } finally {
            System.out.printf("seed %d%n%s%n", seed, chaos.report().toString().indent(2));
            manager.close();
        }
    }

    private static ChaosRun.Boundary one(Chaos chaos, SplittableRandom random, long before) {
        fault(chaos, random).atStep(1 + random.nextLong(before));
        return NOTHING;
    }

    /// One fault at a step, and a second one: at any step, at the same one, during a save, a load
    /// or a growth.
    private static ChaosRun.Boundary arm(
            ChaosRun run, Chaos chaos, SplittableRandom random, long seed) {
        long step = 2 + random.nextLong(STEPS - 12);
        fault(chaos, random).atStep(step);
        var two = fault(chaos, random);
        switch ((int) (seed % WAYS)) {
            case 0 -> two.atStep(step + random.nextLong(8));
            case 1 -> two.atStep(step);
            case 2 -> {
                long save = 5 * (1 + random.nextLong(4));
                return (now, attempt) -> {
                    if (now == save) {
                        two.now();
                    }
                };
            }
            case 3 ->
                    two.when(
                            event ->
                                    event instanceof ElasticEvent.AttemptStarted started
                                            && started.attempt() == 2);
            case 4 -> {
                two.when(ElasticEvent.Available.class::isInstance);
                return (now, attempt) -> {
                    if (now == STEPS - 2 && chaos.manager().activeSliceCount() < SLICES) {
                        grown(run, chaos.manager());
                    }
                };
            }
            default -> {
                // The second one struck before the program came back.
            }
        }
        return NOTHING;
    }

    private static void grown(ChaosRun run, Manager manager) throws InterruptedException {
        // What is lost meanwhile is found at the boundary.
        var unused =
                run.runtime()
                        .clock()
                        .await(
                                Duration.ofSeconds(60),
                                () -> !manager.availableInactiveSlices().isEmpty());
    }

    private static ChaosPlan fault(Chaos chaos, SplittableRandom random) {
        return chaos.any(KINDS.get(random.nextInt(KINDS.size())))
                .slice(random.nextInt(SLICES))
                .lasting(Duration.ofMillis(200 + random.nextInt(6_000)));
    }

    private static void assertFlat(Held before, Held after) {
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + SLACK);
        assertThat(after.files()).isLessThanOrEqualTo(before.files() + SLACK);
        assertThat(after.headThreads()).isLessThanOrEqualTo(before.headThreads() + SLACK);
        assertThat(after.headFiles()).isLessThanOrEqualTo(before.headFiles() + SLACK);
    }

    private static Held held(ChaosRun run) throws IOException {
        return new Held(
                Thread.getAllStackTraces().size(),
                entries("/proc/self/fd"),
                entries("/proc/" + run.headPid() + "/task"),
                entries("/proc/" + run.headPid() + "/fd"));
    }

    private static long entries(String folder) throws IOException {
        try (var entries = Files.list(Path.of(folder))) {
            return entries.count();
        }
    }
}
