package org.meshbook.elastic.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.chaos.ChaosReport.Outcome;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.ElasticEvent.SliceDown;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.slices.LossKind;

/// Each fault on slices that are real processes.
@Tag("chaos")
@Timeout(180)
class ChaosTest {
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final long STEPS = 20;
    private static final String NO_SPACE = "No space left on device";

    private static final AtomicInteger RUNS = new AtomicInteger();

    private static ChaosRun run;

    private final List<ElasticEvent> events = new CopyOnWriteArrayList<>();
    private final List<Long> steps = new ArrayList<>();
    private Manager manager;
    private Chaos chaos;

    @BeforeAll
    static void start() throws Exception {
        run = new ChaosRun(3, HEARTBEAT);
    }

    @AfterAll
    static void nothingIsLeft() throws IOException {
        assertThat(run.end()).isEmpty();
    }

    @BeforeEach
    void manage() throws Exception {
        assertThat(run.whole()).isTrue();
        manager = new Manager(run.runtime());
        manager.onEvent(events::add);
        chaos = Chaos.on(manager);
    }

    @AfterEach
    void end() {
        chaos.off();
        manager.close();
    }

    private void train(Retry retry) throws Exception {
        train(retry, (step, attempt) -> steps.add(step));
    }

    private void train(Retry retry, ChaosRun.Boundary boundary) throws Exception {
        train(retry, "run-" + RUNS.incrementAndGet(), STEPS, boundary);
    }

    private void train(Retry retry, String name, long until, ChaosRun.Boundary boundary)
            throws Exception {
        run.train(manager, name, retry, until, boundary);
    }

    private SliceDown down() {
        return events.stream()
                .filter(SliceDown.class::isInstance)
                .map(SliceDown.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private Outcome only() {
        var faults = chaos.report().faults();
        assertThat(faults).hasSize(1);
        return faults.getFirst();
    }

    @Test
    void killAtAStepIsALossThatTheReportLinksToItsRecovery() throws Exception {
        chaos.kill(1).atStep(8);
        assertThat(chaos.report().armed()).containsExactly("kill slice 1 at step 8");
        train(Retry.atLeast(1));
        assertThat(down().cause()).endsWith("ended by signal 9");
        assertThat(only().step()).isEqualTo(8);
        assertThat(only().recovery()).isEqualTo(1);
        assertThat(only().took()).isPositive();
        assertThat(only().saw()).contains("slice 1 lost");
        assertThat(chaos.report().armed()).isEmpty();
    }

    @Test
    void noticeCostsNoStep() throws Exception {
        chaos.notice(2).atStep(5);
        // The word of it takes its way over the head.
        train(
                Retry.atLeast(1),
                (step, attempt) -> {
                    steps.add(step);
                    if (step == 6) {
                        var clock = run.runtime().clock();
                        clock.await(
                                Duration.ofSeconds(60), () -> !manager.leavingSlices().isEmpty());
                    }
                });
        assertThat(steps).doesNotHaveDuplicates();
        assertThat(events).anyMatch(ElasticEvent.Left.class::isInstance);
        assertThat(only().saw()).startsWith("slice 2 ");
        assertThat(only().recovery()).isPositive();
    }

    @Test
    void hangThatOutlastsTheHeartbeatsIsALoss() throws Exception {
        chaos.stop(0).atStep(6);
        train(Retry.atLeast(1));
        assertThat(down().kind()).isEqualTo(LossKind.HUNG);
        assertThat(only().recovery()).isEqualTo(1);
    }

    @Test
    void hangAndSlowDownAndCutThatEndInTimeLoseNothing() throws Exception {
        var generations = run.runtime().view().generation();
        chaos.stop(0).lasting(Duration.ofMillis(300)).atStep(3);
        chaos.slow(1).lasting(Duration.ofMillis(400)).atStep(6);
        chaos.partition(2).lasting(Duration.ofMillis(600)).atStep(12);
        train(Retry.atLeast(1));
        assertThat(steps).doesNotHaveDuplicates();
        assertThat(run.runtime().view().generation()).isEqualTo(generations);
        assertThat(chaos.report().faults())
                .hasSize(3)
                .allMatch(fault -> fault.saw().equals("nothing was lost"));
    }

    @Test
    void networkThatIsCutIsALossByItsHeartbeatsAlone() throws Exception {
        chaos.partition(1).lasting(Duration.ofMinutes(2)).atStep(7);
        train(Retry.atLeast(1));
        assertThat(down().kind()).isEqualTo(LossKind.HUNG);
        assertThat(down().cause()).contains("missed 3 heartbeats");
    }

    @Test
    void overflowOfAHeapEndsTheWorkerWhichSaysWhy() throws Exception {
        chaos.oom(1).atStep(4);
        train(
                Retry.atLeast(1),
                (step, attempt) -> {
                    if (step == 5 && attempt == 1) {
                        var clock = run.runtime().clock();
                        clock.await(
                                Duration.ofSeconds(60),
                                () -> events.stream().anyMatch(SliceDown.class::isInstance));
                    }
                });
        assertThat(down().cause()).contains("OutOfMemoryError");
    }

    @Test
    void tornFileOfACheckpointIsNotReadWhenTheProgramComesBack() throws Exception {
        var restored = new CopyOnWriteArrayList<ElasticEvent.Restored>();
        manager.onEvent(
                event -> {
                    if (event instanceof ElasticEvent.Restored one) {
                        restored.add(one);
                    }
                });
        chaos.tornWrite(0).lasting(Duration.ofMinutes(1)).now();
        await().until(() -> only().saw().equals("nothing was written yet"));
        train(Retry.all(), "torn", 7, (step, attempt) -> {});
        assertThat(only().saw()).startsWith("cut half of 5.writing-").endsWith("/shards-0-0.bin");
        // No snapshot is left of the run that ended; the copy in the next slice is.
        train(Retry.all(), "torn", STEPS, (step, attempt) -> {});
        assertThat(restored).hasSize(1);
        assertThat(restored.getFirst().step()).isEqualTo(5);
        assertThat(restored.getFirst().refused())
                .singleElement()
                .asString()
                .contains("step 5 local: ")
                .contains("shards-0-0.bin");
    }

    @Test
    void fullDiskCostsCheckpointsAndNothingElse() throws Exception {
        chaos.fullDisk(0).lasting(Duration.ofMinutes(1)).now();
        await().until(() -> only().saw().equals("nothing was written yet"));
        train(
                Retry.all(),
                (step, attempt) -> {
                    steps.add(step);
                    if (step == 12) {
                        chaos.off();
                    }
                });
        assertThat(only().saw())
                .startsWith("no room for half of 5.writing-")
                .endsWith("/shards-0-0.bin");
        assertThat(run.notSaved()).isNotEmpty().allMatch(told -> told.contains(NO_SPACE));
        assertThat(steps).doesNotHaveDuplicates();
        assertThat(events).noneMatch(SliceDown.class::isInstance);
    }

    @Test
    void faultThatWouldLeaveTooFewSlicesIsHeldBackUnlessAskedFor() throws Exception {
        chaos.kill(0).atStep(3);
        train(Retry.all());
        assertThat(only().saw()).isEqualTo("held back: it would leave 2 of 3 slices needed");
        assertThat(steps).doesNotHaveDuplicates();

        chaos.clear();
        chaos.kill(0).anyway().atStep(3);
        train(Retry.all());
        assertThat(only().recovery()).isEqualTo(1);
    }

    @Test
    void offDisarmsAndContinuesWhatHangs() throws Exception {
        long pid = run.pid(2);
        chaos.stop(2).now();
        chaos.kill(1).atStep(1);
        await().until(() -> state(pid) == 'T');
        chaos.off();
        await().until(() -> state(pid) != 'T');
        assertThat(chaos.report().armed()).isEmpty();
        train(Retry.all());
        assertThat(run.pid(2)).isEqualTo(pid);
    }

    @Test
    void faultAtAnEventHitsTheRestoreThatFollowsALoss() throws Exception {
        chaos.kill(0).atStep(11);
        chaos.kill(1)
                .when(
                        event ->
                                event instanceof ElasticEvent.AttemptStarted started
                                        && started.attempt() == 2);
        var attempts = new AtomicInteger();
        train(Retry.atLeast(1), (step, attempt) -> attempts.set(attempt));
        assertThat(attempts.get()).isGreaterThan(2);
        assertThat(chaos.report().faults()).extracting(Outcome::slice).containsExactly(0, 1);
    }

    @Test
    void scheduleEndsWithItsRun() throws Exception {
        chaos.any(FaultKind.SLOW).lasting(Duration.ofMillis(20)).seed(3).every(5);
        train(Retry.all());
        var first = chaos.report().faults();
        assertThat(first).hasSize(4);
        assertThat(chaos.report().armed()).isEmpty();

        chaos.clear();
        chaos.any(FaultKind.SLOW).lasting(Duration.ofMillis(20)).seed(3).every(5);
        train(Retry.all());
        assertThat(chaos.report().faults())
                .extracting(Outcome::step, Outcome::slice)
                .containsExactlyElementsOf(
                        first.stream().map(f -> tuple(f.step(), f.slice())).toList());
    }

    private static char state(long pid) throws IOException {
        var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }
}
