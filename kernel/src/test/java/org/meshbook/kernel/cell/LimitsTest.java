package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("jshell")
@Timeout(120)
class LimitsTest {
    private static Cells cells;

    @BeforeAll
    static void open() {
        cells = new Cells();
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    @AfterEach
    void reset() {
        for (var name :
                new String[] {"output.lines", "output.limit", "cell.timeout", "cell.time"}) {
            assertThat(cells.run("%config " + name + "=default").ok()).isTrue();
        }
    }

    @Test
    void outputBeyondTheLinesIsCutAndSaidOnce() {
        cells.run("%config output.lines=10");
        var ran = cells.run("for (int i = 0; i < 1000; i++) System.out.println(i);\n\"done\"");
        assertThat(ran.output().out()).isEqualTo("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        assertThat(ran.output().err())
                .containsOnlyOnce("output is cut here")
                .contains("10 lines", "%config output.lines=");
        assertThat(ran.result()).isEqualTo("done");
    }

    @Test
    void piecesOfALineAreCutToo() {
        cells.run("%config output.lines=1");
        var ran =
                cells.run(
                        "System.out.println(1); for (int i = 0; i < 9; i++) System.out.print(i);");
        assertThat(ran.output().out()).isEqualTo("1\n");
        assertThat(ran.output().err()).containsOnlyOnce("output is cut here");
    }

    @Test
    void outputBeyondTheSizeIsCutInsideAText() {
        cells.run("%config output.limit=10");
        var ran = cells.run("System.out.print(\"123456789🐎abc\");");
        assertThat(ran.output().out()).isEqualTo("123456789\n");
        assertThat(ran.output().err()).contains("%config output.limit=");
    }

    @Test
    void clearingMakesRoom() {
        cells.run("%config output.lines=3");
        var ran =
                cells.run(
                        "for (int i = 0; i < 6; i++) { clearOutput(); System.out.println(i);"
                                + " System.out.println(i); }");
        assertThat(ran.output().out()).endsWith("5\n5\n");
        assertThat(ran.output().err()).isEmpty();
    }

    @Test
    void theLimitIsOfOneCell() {
        cells.run("%config output.lines=3");
        cells.run("for (int i = 0; i < 6; i++) System.out.println(i);");
        assertThat(cells.run("System.out.println(1);").output().out()).isEqualTo("1\n");
    }

    @Test
    void cellIsStoppedWhenItsTimeIsOver() {
        cells.run("%config cell.timeout=300ms");
        var ran = cells.run("while (true) { }");
        assertThat(ran.error()).startsWith("CellTimeout: the cell ran longer than 0.3s");
        assertThat(cells.run("Thread.sleep(60_000);").error()).startsWith("CellTimeout");
        assertThat(cells.run("40 + 2").result()).isEqualTo("42");
    }

    @Test
    void aShortCellIsNotStoppedLater() {
        cells.run("%config cell.timeout=1s");
        var ran =
                cells.run(
                        """
                        var go1 = new java.util.concurrent.CountDownLatch(1);
                        var thread1 = new Thread(() -> {
                            while (go1.getCount() > 0) { Thread.onSpinWait(); }
                            System.out.print("alive");
                        });
                        thread1.start();
                        """);
        assertThat(ran.ok()).isTrue();
        // When the time of this one is over, so is that of the first.
        assertThat(cells.run("while (true) { }").error()).startsWith("CellTimeout");
        cells.run("%config cell.timeout=off");
        assertThat(cells.run("go1.countDown(); thread1.join();").ok()).isTrue();
        assertThat(ran.output().out()).isEqualTo("alive");
    }

    @Test
    void timeOfACellIsSaidIfWanted() {
        cells.run("%config cell.time=on");
        var ran = cells.run("1 + 1");
        await().dontCatchUncaughtExceptions()
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () ->
                                assertThat(ran.output().err())
                                        .matches("cell \\d+ took [\\d.]+ m?s\\n"));
    }

    @ParameterizedTest(name = "%config {0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cell.timeout=90s       | cell.timeout=1m30s
                    cell.timeout = 2       | cell.timeout=2s
                    cell.timeout 1m30s     | cell.timeout=1m30s
                    cell.timeout=off       | cell.timeout=off
                    output.limit=20MB      | output.limit=20MB
                    output.limit=1500      | output.limit=1500B
                    output.lines=1M        | output.lines=1000000
                    output.lines=off       | output.lines=off
                    output.lines=default   | output.lines=200000
                    cell.time=yes          | cell.time=on
                    """)
    void valuesReadAsTheyAreTyped(String typed, String shown) {
        assertThat(cells.run("%config " + typed).output().out()).startsWith(shown + "  (");
    }

    @ParameterizedTest(name = "%config {0} -> {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    output.limits=3        | no setting named "output.limits"; did you mean output.limit?
                    xyz                    | no setting named "xyz"; there are cell.timeout, cell.time
                    cell.timeout=soon      | cell.timeout is a time, or off, found "soon"; for example %config cell.timeout=30s
                    cell.timeout=-3s       | cell.timeout is a time, or off, found "-3s"
                    cell.time=maybe        | cell.time is on or off, found "maybe"
                    output.lines=many      | output.lines is a number, or off for no limit, found "many"
                    """)
    void wrongValuesAreExplained(String typed, String why) {
        assertThat(cells.run("%config " + typed).error()).contains(why);
    }

    @Test
    void settingsAreListed() {
        assertThat(cells.run("%config").output().out())
                .contains("output.limit=10MB", "how long a cell may run", "cell.timeout=off");
    }

    @Test
    void settingsAreCompleted() {
        assertThat(cells.engine().complete("%config cell.t", 14).matches())
                .containsExactly("cell.timeout=", "cell.time=");
        assertThat(cells.engine().complete("%config cell.time=o", 19).matches())
                .containsExactly("cell.time=on", "cell.time=off");
    }

    @Test
    void theEnvironmentGivesFirstValues() {
        var settings = new org.meshbook.kernel.config.Settings();
        var refused =
                settings.take(
                        java.util.Map.of(
                                "MESHBOOK_CELL_TIMEOUT", "45s", "MESHBOOK_TABLE_ROWS", "lots"));
        assertThat(settings.cellTimeout()).isEqualTo(Duration.ofSeconds(45));
        assertThat(settings.tableRows()).isEqualTo(50);
        assertThat(refused).singleElement().asString().contains("MESHBOOK_TABLE_ROWS", "lots");
    }
}
