package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Awaitility is told not to catch what other threads throw: it would take the place of the
/// engine's handler, which lets stopped threads end in silence.
@Tag("jshell")
@Timeout(120)
class InterruptTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
        cells.run("int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }");
        cells.run("void say() { System.out.println(\"started\"); }");
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (true) { }",
                "for (long n = 0; ; ) n++;",
                "do { } while (true);",
                "Thread.sleep(600_000);",
                "fib(90);",
                "LongStream.iterate(0, i -> i + 1).filter(i -> i < 0).findFirst();",
                "while (true) { try { Thread.sleep(1_000); } catch (InterruptedException e) { } }",
                "while (true) { try { Thread.sleep(1_000); } catch (Throwable e) { } }",
                "var lock = new Object(); Thread.startVirtualThread(() -> { synchronized (lock) { while (true) { } } }); Thread.sleep(50); synchronized (lock) { }",
                "var child = new Thread(() -> { while (true) { } }); child.start(); child.join();",
                "IntStream.range(0, 100).parallel().forEach(i -> { while (true) { } });"
            })
    void freesTheCellAndTheThreadsThatItStarted(String code) {
        var ran = interrupted("{ say(); " + code + " }");
        assertThat(ran.error()).startsWith("KeyboardInterrupt: the cell was interrupted\n");
        assertThat(ran.output().err()).isEmpty();
        await().dontCatchUncaughtExceptions()
                .atMost(LIMIT)
                .until(() -> cpuOfCellThreadsStandsStill());
        assertThat(cells.run("1 + 1").result()).isEqualTo("2");
    }

    @Test
    void freesTheCellFromAToStringWithoutAnEnd() {
        var ran =
                interrupted(
                        "new Object() { public String toString() { say(); while (true) { } } }");
        assertThat(ran.error()).startsWith("KeyboardInterrupt");
    }

    @Test
    void saysSoWhenACallHeedsNoInterrupt() {
        cells.run("var server = new java.net.ServerSocket(0);");
        var ran = interrupted("{ say(); server.accept(); }");
        assertThat(ran.error()).contains("KeyboardInterrupt", "still running: 1 thread", "accept");
        assertThat(cells.run("server.close();").ok()).isTrue();
        assertThat(cells.run("1 + 1").result()).isEqualTo("2");
    }

    @Test
    void laterCellsAreNotStopped() {
        cells.run(
                "var pool = Executors.newSingleThreadExecutor(r -> { var t = new Thread(r); t.setDaemon(true); return t; });");
        interrupted("{ pool.submit(() -> 1).get(); say(); while (true) { } }");
        assertThat(cells.run("int sum = 0; for (int i = 0; i < 1000; i++) sum += i; sum").result())
                .isEqualTo("499500");
        assertThat(cells.run("IntStream.range(0, 100).parallel().map(i -> i * 2).sum()").result())
                .isEqualTo("9900");
        cells.run("pool.shutdownNow();");
    }

    @Test
    void interruptWhileIdleDoesNothing() {
        cells.engine().interrupt();
        assertThat(cells.run("1 + 1").result()).isEqualTo("2");
    }

    private static Cells.Ran interrupted(String code) {
        var output = new Recorded();
        var pressed = new AtomicBoolean();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            await().dontCatchUncaughtExceptions()
                                    .atMost(LIMIT)
                                    .until(() -> output.out().contains("started"));
                            pressed.set(true);
                            cells.engine().interrupt();
                        });
        var ran = cells.run(code, output);
        assertThat(pressed).as("interrupted, not ended by itself").isTrue();
        return ran;
    }

    /// Compares the CPU time of everything that runs a cell's code, before and after a moment.
    private static boolean cpuOfCellThreadsStandsStill() {
        var before = cpu();
        var until = System.nanoTime() + Duration.ofMillis(100).toNanos();
        while (System.nanoTime() < until) {
            java.util.concurrent.locks.LockSupport.parkNanos(until - System.nanoTime());
        }
        return cpu() == before;
    }

    private static long cpu() {
        var beans = ManagementFactory.getThreadMXBean();
        return Arrays.stream(beans.dumpAllThreads(false, false))
                .filter(
                        info ->
                                Arrays.stream(info.getStackTrace())
                                        .anyMatch(f -> f.getClassName().startsWith("REPL.")))
                .mapToLong(info -> Math.max(0, beans.getThreadCpuTime(info.getThreadId())))
                .sum();
    }
}
