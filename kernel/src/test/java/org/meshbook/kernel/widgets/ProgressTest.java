package org.meshbook.kernel.widgets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.spi.DisplayData;

/// Progress bars of real cells.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProgressTest {
    private final CellEngine engine = CellEngines.open(List.of(new WidgetsExtension()));

    @AfterAll
    void close() {
        engine.close();
    }

    /// What a cell put out.
    private static final class Seen implements CellOutput {
        final List<DisplayData> frames = new CopyOnWriteArrayList<>();
        final List<DisplayData> displays = new CopyOnWriteArrayList<>();
        final CountDownLatch begun = new CountDownLatch(1);
        final StringBuffer printed = new StringBuffer();
        private final boolean replaces;

        Seen(boolean replaces) {
            this.replaces = replaces;
        }

        @Override
        public void write(Stream stream, String text) {
            printed.append(text);
        }

        @Override
        public void display(DisplayData data) {
            displays.add(data);
            frames.add(data);
            begun.countDown();
        }

        @Override
        public void update(DisplayData data) {
            assertThat(displays).anyMatch(shown -> shown.id().equals(data.id()));
            frames.add(data);
        }

        @Override
        public void clear(boolean wait) {}

        @Override
        public String ask(String prompt, boolean password) {
            throw new UnsupportedOperationException("nobody is asked here");
        }

        @Override
        public boolean replaces() {
            return replaces;
        }

        String text() {
            return String.valueOf(frames.getLast().bundle().get("text/plain"));
        }

        String html() {
            return String.valueOf(frames.getLast().bundle().get("text/html"));
        }
    }

    private Seen run(String code) {
        var seen = new Seen(true);
        var unused = engine.cell(code, 1, seen).run();
        return seen;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for (var x : Progress.of(List.of(1, 2, 3))) { }           | 3/3",
                "for (var x : Progress.of(new String[] {\"a\"})) { }       | 1/1",
                "for (var x : Progress.of(new HashSet<>())) { }            | 0/0",
                "for (var x : Progress.range(7)) { }                       | 7/7",
                "for (Path x : Progress.of(Path.of(\"a/b\"))) { }          | 2, took",
                "Progress.of(Stream.of(1, 2)).toList()                     | 2/2",
                "Progress.of(Stream.iterate(1, x -> x < 4, x -> x + 1)).toList() | 3, took",
                "Progress.of(IntStream.range(0, 9999).boxed()).parallel().mapToInt(x -> x).sum() |"
                        + " 9,999/9,999",
                "try (var b = Progress.start(\"x\", 4)) { b.step(); b.step(3); } | 4/4",
                "try (var b = Progress.start(\"x\", 0)) { b.at(9); }       | x 9, took",
            })
    void whatIsDoneIsGreenAndFull(String code, String count) {
        var seen = run(code);

        assertThat(seen.text()).contains(count, "took").doesNotContain("left");
        assertThat(seen.html()).contains("width:100.0%", "success").doesNotContain("error");
        assertThat(seen.displays.stream().filter(d -> d.bundle().containsKey("text/html")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for (var x : Progress.range(10)) { if (x == 4) throw new IOException(\"no\"); }",
                "try (var b = Progress.start(\"x\", 10)) { b.step(4); Integer.parseInt(\"\"); }",
                "var b = Progress.start(\"x\", 10); b.step(4); Integer.parseInt(\"\");",
            })
    void whatFailsStaysRedWhereItWas(String code) {
        var seen = run(code);

        assertThat(seen.text()).contains("4/10, failed after");
        assertThat(seen.html()).contains("width:40.0%", "error");
    }

    @Test
    void loopThatIsLeftStaysGreyWhereItWas() {
        var seen = run("for (var x : Progress.range(10)) { if (x == 4) break; }");

        assertThat(seen.text()).contains("4/10, stopped after");
        assertThat(seen.html()).doesNotContain("error").doesNotContain("success");
    }

    @Test
    void loopThatIsInterruptedSaysSo() throws InterruptedException {
        var seen = new Seen(true);
        var task = engine.cell("for (var x : Progress.range(10)) { while (x == 0) { } }", 1, seen);
        var cell = Thread.ofPlatform().start(task::run);
        assertThat(seen.begun.await(30, TimeUnit.SECONDS)).isTrue();
        task.interrupt();

        assertThat(cell.join(Duration.ofSeconds(30))).isTrue();
        assertThat(seen.text()).contains("0/10, interrupted after");
        assertThat(seen.html()).contains("error");
    }

    @Test
    void threadThatDiesInItsLoopLeavesItRed() throws InterruptedException {
        var seen =
                run(
                        """
                        var t = Thread.ofPlatform().start(() -> {
                            for (var x : Progress.range(10)) if (x == 4) throw new IllegalStateException("no");
                        });
                        t.join();\
                        """);
        for (var tries = 0; tries < 1000 && !seen.text().contains("failed"); tries++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }

        assertThat(seen.text()).contains("4/10, failed after");
    }

    @Test
    void loopInALoopStandsBelowItAndGoes() {
        var seen =
                run(
                        """
                        for (var x : Progress.range("outer", 3)) {
                            for (var y : Progress.range("inner", 2)) { Thread.sleep(60); }
                        }\
                        """);

        assertThat(seen.frames)
                .anyMatch(
                        frame -> {
                            var lines =
                                    String.valueOf(frame.bundle().get("text/plain")).split("\n");
                            return lines.length == 2
                                    && lines[0].startsWith("outer")
                                    && lines[1].startsWith("inner");
                        });
        assertThat(seen.text()).contains("outer", "3/3").doesNotContain("inner");
        assertThat(seen.displays).hasSize(1);
    }

    @Test
    void twoBarsMovedByHandStandTogether() {
        var seen =
                run(
                        """
                        try (var a = Progress.start("one", 2); var b = Progress.start("two", 2)) {
                            for (var i = 0; i < 2; i++) { a.step(); b.step(); }
                        }\
                        """);

        assertThat(seen.text()).contains("one 100%", "two 100%");
    }

    @Test
    void millionsOfStepsArePaintedSeldom() {
        var begin = System.nanoTime();
        var seen =
                run(
                        "var n = 0L; for (var x : Progress.range(3_000_000)) n += x; for (var x :"
                                + " Progress.range(300)) for (var y : Progress.range(30)) n++;");
        var tenths = (System.nanoTime() - begin) / 100_000_000;

        assertThat(seen.frames).hasSizeBetween(4, (int) tenths + 8);
    }

    @Test
    void terminalIsWrittenOnOneLine() {
        var seen = new Seen(false);
        var outcome =
                engine.cell("for (var x : Progress.range(\"load\", 3)) Thread.sleep(120);", 1, seen)
                        .run();

        assertThat(outcome).isInstanceOf(CellOutcome.Done.class);
        assertThat(seen.displays).isEmpty();
        var lines = seen.printed.toString().split("\n");
        assertThat(lines).hasSize(1);
        var last = lines[0].substring(lines[0].lastIndexOf('\r') + 1);
        assertThat(last).startsWith("load 100% |").contains("3/3");
        assertThat(seen.printed.toString().split("\r")).hasSizeBetween(4, 7);
    }

    @Test
    void labelIsTextAndNoHtml() {
        assertThat(run("for (var x : Progress.range(\"<b>&\", 1)) { }").html())
                .contains("&lt;b&gt;&amp;");
    }

    @Test
    void negativeRangeIsRefused() {
        var outcome = engine.cell("Progress.range(-1)", 1, new Seen(true)).run();

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CellOutcome.Failed.class,
                        failed -> assertThat(failed.message()).contains("-1", "start at 0"));
    }

    @Test
    void userMayDeclareTheSameNames() {
        var declared = engine.cell("record Widgets(int a) {}\nnew Widgets(3)", 1, new Seen(true));
        assertThat(declared.run()).isInstanceOf(CellOutcome.Done.class);
    }
}
