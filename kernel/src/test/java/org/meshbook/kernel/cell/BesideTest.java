package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.cell.CellOutcome.Done;
import org.meshbook.kernel.cell.CellOutcome.Failed;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;

/// Cells that run beside each other on one engine, and questions meanwhile.
@Tag("jshell")
@Timeout(120)
class BesideTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Five times what is promised.
    private static final Duration PROMPT = Duration.ofMillis(2_500);

    private static final AtomicInteger NUMBER = new AtomicInteger(1_000);
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells =
                new Cells(
                        new Extension() {
                            @Override
                            public java.util.List<Magic> magics() {
                                return java.util.List.of(new Both());
                            }
                        });
        cells.run("import java.util.concurrent.*; String known = \"k\"; volatile int go;");
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    /// Evaluates its arguments twice.
    private record Both() implements Magic {
        @Override
        public String name() {
            return "both";
        }

        @Override
        public String help() {
            return "Evaluates its arguments twice.";
        }

        @Override
        public @Nullable Object run(Call call, Cell cell) throws Exception {
            return cell.evaluate(call.arguments()) + "+" + cell.evaluate(call.arguments());
        }
    }

    /// A cell on a thread of its own.
    private record Beside(CellTask task, Recorded output, FutureTask<CellOutcome> running) {
        static Beside start(String code) {
            var output = new Recorded();
            var task = cells.engine().cell(code, NUMBER.incrementAndGet(), output);
            return start(task, output);
        }

        static Beside start(CellTask task, Recorded output) {
            var running = new FutureTask<>(task::run);
            Thread.ofPlatform().daemon().start(running);
            return new Beside(task, output, running);
        }

        Beside awaitOutput() {
            await().dontCatchUncaughtExceptions()
                    .atMost(LIMIT)
                    .until(() -> !output.out().isEmpty());
            return this;
        }

        CellOutcome outcome() throws Exception {
            return running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static <T> T promptly(Callable<T> question)
            throws InterruptedException, ExecutionException, TimeoutException {
        var asked = new FutureTask<>(question);
        Thread.ofPlatform().daemon().start(asked);
        return asked.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void anotherCellComputesWhileOneSpins() throws Exception {
        var spinning = Beside.start("System.out.print(1); while (true) { }").awaitOutput();
        assertThat(cells.run("int beside = 6 * 7; beside").result()).isEqualTo("42");
        assertThat(cells.run("%both beside").result()).isEqualTo("42+42");
        spinning.task.interrupt();
        assertThat(spinning.outcome()).isInstanceOf(Failed.class);
    }

    @Test
    void questionsAreAnsweredWhileACellRuns() throws Exception {
        var spinning = Beside.start("System.out.print(1); while (true) { }").awaitOutput();
        var engine = cells.engine();
        assertThat(promptly(() -> engine.complete("known.subs", 10)).matches())
                .contains("substring(");
        assertThat(promptly(() -> engine.inspect("Math.max", 8, 0))).isNotNull();
        assertThat(promptly(() -> engine.completeness("int a = ")).status())
                .isEqualTo("incomplete");
        spinning.task.interrupt();
        assertThat(spinning.outcome()).isInstanceOf(Failed.class);
    }

    @Test
    void anInterruptStopsOnlyItsOwnCell() throws Exception {
        cells.run("go = 0;");
        var stopped = Beside.start("System.out.print(1); while (true) { }").awaitOutput();
        var other =
                Beside.start("System.out.print(1); int n = 0; while (go == 0) { n = 1; } n + 6")
                        .awaitOutput();
        var pool =
                Beside.start(
                                "System.out.print(1); IntStream.range(0, 64).parallel().map(i -> {"
                                        + " while (go == 0) { } return 1; }).sum()")
                        .awaitOutput();
        stopped.task.interrupt();
        assertThat(stopped.outcome())
                .isInstanceOfSatisfying(
                        Failed.class, f -> assertThat(f.name()).isEqualTo("KeyboardInterrupt"));
        assertThat(other.running.isDone()).isFalse();
        assertThat(pool.running.isDone()).isFalse();
        cells.run("go = 1;");
        assertThat(text(other.outcome())).isEqualTo("7");
        assertThat(text(pool.outcome())).isEqualTo("64");
    }

    @Test
    void anInterruptReachesTheSharedWorkersOfItsCell() throws Exception {
        cells.run("go = 0; int awaitGo() { while (go == 0) { } return 1; }");
        var endless =
                Beside.start(
                                "System.out.print(1); IntStream.range(0, 64).parallel().forEach(i"
                                        + " -> { while (true) { } });")
                        .awaitOutput();
        // The latest cell is another one now.
        var other = Beside.start("System.out.print(1); awaitGo()").awaitOutput();
        endless.task.interrupt();
        assertThat(endless.outcome()).isInstanceOf(Failed.class);
        await().dontCatchUncaughtExceptions().atMost(LIMIT).until(() -> workersInCells() == 0);
        cells.run("go = 1;");
        assertThat(text(other.outcome())).isEqualTo("1");
    }

    private static long workersInCells() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(e -> e.getKey().getName().startsWith("ForkJoinPool.commonPool"))
                .filter(
                        e ->
                                java.util.Arrays.stream(e.getValue())
                                        .anyMatch(f -> f.getClassName().startsWith("REPL.")))
                .count();
    }

    @Test
    void aCellThatIsInterruptedBeforeItRunsEndsAtOnce() {
        var output = new Recorded();
        var task = cells.engine().cell("System.out.print(1);", NUMBER.incrementAndGet(), output);
        task.interrupt();
        assertThat(task.run())
                .isInstanceOfSatisfying(
                        Failed.class, f -> assertThat(f.name()).isEqualTo("KeyboardInterrupt"));
        assertThat(output.out()).isEmpty();
    }

    /// At whatever moment it comes.
    @Test
    void anInterruptIsNeverLost() throws Exception {
        for (var i = 0; i < 40; i++) {
            var output = new Recorded();
            var task = cells.engine().cell("Thread.sleep(600_000);", 1, output);
            var beside = Beside.start(task, output);
            java.util.concurrent.locks.LockSupport.parkNanos(i * 500_000L);
            task.interrupt();
            assertThat(beside.outcome()).isInstanceOf(Failed.class);
        }
    }

    @Test
    void bothCellsDeclareVariablesAtOnce() throws Exception {
        var left = declaring("left");
        var right = declaring("right");
        assertThat(left.get(100, TimeUnit.SECONDS)).isEqualTo(80);
        assertThat(right.get(100, TimeUnit.SECONDS)).isEqualTo(80);
        assertThat(cells.run("left79 + right79").result()).isEqualTo("158");
    }

    private static FutureTask<Integer> declaring(String name) {
        var task =
                new FutureTask<>(
                        () -> {
                            var right = 0;
                            for (var i = 0; i < 80; i++) {
                                var code = "int %s%d = %d; %1$s%2$d".formatted(name, i, i);
                                right += cells.run(code).result().equals("" + i) ? 1 : 0;
                            }
                            return right;
                        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    @Test
    void expressionsAreEvaluatedWhileAnotherCellRuns() throws Exception {
        var spinning = Beside.start("System.out.print(1); while (true) { }").awaitOutput();
        var asking = Beside.start("int asked = 5;");
        assertThat(asking.outcome()).isInstanceOf(Done.class);
        var answers =
                promptly(
                        () ->
                                asking.task.evaluate(
                                        Map.of("twice", "asked * 2", "broken", "nosuch")));
        assertThat(text(answers.get("twice"))).isEqualTo("10");
        assertThat(answers.get("broken")).isInstanceOf(Failed.class);
        spinning.task.interrupt();
        assertThat(spinning.outcome()).isInstanceOf(Failed.class);
    }

    @Test
    void expressionsCanBeInterrupted() throws Exception {
        var asking = Beside.start("int spinsOn() { System.out.print(1); while (true) { } }");
        assertThat(asking.outcome()).isInstanceOf(Done.class);
        var answers = new FutureTask<>(() -> asking.task.evaluate(Map.of("a", "spinsOn()")));
        Thread.ofPlatform().daemon().start(answers);
        asking.awaitOutput();
        asking.task.interrupt();
        assertThat(answers.get(LIMIT.toSeconds(), TimeUnit.SECONDS).get("a"))
                .isInstanceOf(Failed.class);
    }

    @Test
    void anErrorNamesItsOwnCellThoughAnotherHasTheSameText() throws Exception {
        cells.run("go = 0; void fail() { while (go == 0) { } throw new IllegalStateException(); }");
        var first = Beside.start("fail();");
        var second = Beside.start("fail();");
        cells.run("go = 1;");
        assertThat(trace(first.outcome())).isNotEqualTo(trace(second.outcome()));
    }

    @Test
    void workIsInterruptedLikeACell() throws Exception {
        var latch = new java.util.concurrent.CountDownLatch(1);
        var output = new Recorded();
        var task =
                cells.engine()
                        .work(
                                () -> {
                                    System.out.print("works");
                                    latch.await();
                                    return null;
                                },
                                7,
                                output);
        var beside = Beside.start(task, output).awaitOutput();
        task.interrupt();
        assertThat(beside.outcome()).isInstanceOf(Failed.class);
    }

    private static String trace(CellOutcome outcome) {
        return outcome instanceof Failed failed ? String.join("\n", failed.trace()) : "no failure";
    }

    private static String text(@Nullable CellOutcome outcome) {
        return outcome instanceof Done(var shown)
                ? shown.map(d -> String.valueOf(d.bundle().get("text/plain"))).orElse("")
                : String.valueOf(outcome);
    }
}
