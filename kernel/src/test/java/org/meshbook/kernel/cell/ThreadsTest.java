package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("jshell")
@Timeout(120)
class ThreadsTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @Test
    void threadIsListedWithItsCellItsStateAndItsLine() {
        cells.run(
                "var gate1 = new CountDownLatch(1);\n"
                        + "new Thread(() -> {\n"
                        + "    try { gate1.await(); } catch (InterruptedException e) { }\n"
                        + "}, \"waiter\").start();");
        await().dontCatchUncaughtExceptions()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(cells.run("%threads").output().out())
                                        .containsPattern(
                                                "\\d+ +\\d+ +waiter +WAITING .*lambda \\(cell"
                                                        + " \\d+:3\\)"));
        cells.run("gate1.countDown();");
    }

    @Test
    void loopOfAThreadIsStopped() {
        var ran =
                cells.run(
                        "new Thread(() -> { while (true) { } }, \"spinner\").start();\n"
                                + "Thread.currentThread().getName()");
        var number = ran.result().replace("cell ", "");
        var stopped = cells.run("%threads stop cell " + number);
        assertThat(stopped.output().out()).contains("\"spinner\" is stopped");
        assertThat(cells.run("%threads").output().out()).doesNotContain("spinner");
    }

    @Test
    void callThatHeedsNoInterruptIsNamedAndListed() {
        cells.run(
                "var server3 = new java.net.ServerSocket(0);\n"
                        + "void stuck3() { while (server3 != null) { try { server3.accept(); } catch"
                        + " (IOException e) { return; } } }");
        var cell = cells.engine().cell("stuck3();", 900, new Recorded());
        Thread.startVirtualThread(
                () -> {
                    await().until(() -> cells.run("%threads").output().out().contains("cell 900"));
                    cell.interrupt();
                });
        var ran = new Cells.Ran(cell.run(), new Recorded());
        assertThat(ran.error()).contains("still running: 1 thread", "%threads lists it");
        assertThat(cells.run("%threads").output().out())
                .containsPattern("900 +cell 900 +\\w+ +left behind by an interrupt, ");
        cells.run("server3.close();");
    }

    @Test
    void wrongWordsAreExplained() {
        assertThat(cells.run("%threads go").error())
                .startsWith("UsageError: %threads takes nothing or \"stop\"");
        assertThat(cells.run("%threads stop 987654").error())
                .contains("id 987654 has no living thread");
        assertThat(cells.run("%threads stop abc").error()).contains("\"abc\" is no number");
    }

    @Test
    void taskOfALaterCellBelongsToThatCell() {
        cells.run("var pool5 = Executors.newFixedThreadPool(1);\npool5.submit(() -> { }).get();");
        var ran = cells.run("pool5.submit(() -> System.out.print(\"mine\")).get();");
        assertThat(ran.output().out()).isEqualTo("mine");
        cells.run("pool5.shutdown();");
    }

    @Test
    void lateTaskOfTheCommonPoolBelongsToItsCell() {
        var first =
                cells.run(
                        "var gate6 = new CountDownLatch(1);\n"
                                + "var done6 = CompletableFuture.runAsync(() -> {\n"
                                + "    try { gate6.await(); } catch (InterruptedException e) { }\n"
                                + "    System.out.print(\"late\");\n"
                                + "});");
        var second = cells.run("System.out.print(\"second\"); gate6.countDown(); done6.get();");
        assertThat(first.output().out()).isEqualTo("late");
        assertThat(second.output().out()).isEqualTo("second");
    }

    @Test
    void threadsOfEveryKindBelongToTheirCell() {
        var ran =
                cells.run(
                        """
                        Thread.startVirtualThread(() -> System.out.print("a")).join();
                        IntStream.range(0, 50).parallel().forEach(i -> System.out.print("b"));
                        try (var each = Executors.newVirtualThreadPerTaskExecutor()) { each.submit(() -> System.out.print("c")); }
                        var ticked = new CountDownLatch(1);
                        new Timer(true).schedule(new TimerTask() { public void run() { System.out.print("d"); ticked.countDown(); } }, 1);
                        ticked.await();
                        CompletableFuture.supplyAsync(() -> 1).thenAccept(x -> System.out.print("e")).get();
                        """);
        assertThat(ran.output().out()).isEqualTo("a" + "b".repeat(50) + "cde");
    }
}
