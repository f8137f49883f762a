package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope.End;
import org.meshbook.kernel.jshell.CellStopped;
import org.meshbook.kernel.jshell.Guard;
import org.meshbook.kernel.spi.DisplayData;

/// One cell, what it does for its code, and how it is stopped.
@Timeout(30)
class RunningCellTest {
    private final BareHost host = new BareHost();
    private final Recorded output = new Recorded("answer");
    private final RunningCell cell = host.cell("f()", 5, output);

    @AfterEach
    void end() {
        cell.thread().end();
        Guard.sweep();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void theMarkOfAnEditorIsNoCode() {
        assertThat(host.cell("\uFEFFint a;", 1, output).code()).isEqualTo(" int a;");
        assertThat(cell.code()).isEqualTo("f()");
        assertThat(cell.number()).isEqualTo(5);
    }

    @Test
    void laterCellsCountHigher() {
        assertThat(host.cell("", 1, output).sequence()).isGreaterThan(cell.sequence());
    }

    @Test
    void charactersOfEachStreamAreKeptWhole() {
        var horse = bytes("\uD83D\uDC0E");
        cell.write(false, horse, 0, 2);
        cell.write(true, horse, 0, 3);
        assertThat(output.out() + output.err()).isEmpty();
        cell.write(false, horse, 2, 2);
        cell.write(true, horse, 3, 1);
        assertThat(output.out()).isEqualTo("\uD83D\uDC0E");
        assertThat(output.err()).isEqualTo("\uD83D\uDC0E");
        cell.out().print("o");
        cell.err().print("e");
        cell.notice("said");
        assertThat(output.out()).endsWith("o");
        assertThat(output.err()).endsWith("esaid\n");
    }

    @Test
    void whatACellShowsGoesToItsOutput() throws Exception {
        cell.display(DisplayData.text("d"));
        cell.update(DisplayData.text("u").withId("i"));
        cell.clear(true);
        assertThat(output.displays).containsExactly(DisplayData.text("d"));
        assertThat(output.updates).containsExactly(DisplayData.text("u").withId("i"));
        assertThat(output.clears).containsExactly(true);
        assertThat(cell.ask("?", false)).isEqualTo("answer");
        assertThat(cell.replaces()).isTrue();
        assertThat(cell.comms()).isEmpty();
        var plain = host.cell("", 1, new PlainTerminal());
        assertThat(plain.replaces()).isFalse();
        assertThat(plain.comms()).containsSame(PlainTerminal.COMMS);
    }

    @Test
    void valuesAreRenderedByTheEngine() {
        assertThat(cell.render(42)).isEqualTo(DisplayData.text("42"));
        assertThat(cell.render(42, Set.of("text/plain")).bundle())
                .isEqualTo(Map.of("text/plain", "42"));
        assertThat(cell.results()).isSameAs(host.results);
        assertThat(cell.asCell()).containsSame(cell);
    }

    @Test
    void javaOfMagicsIsEvaluatedByTheEngine() throws Exception {
        assertThat(cell.evaluate("f()")).isEqualTo("evaluated");
        assertThat(cell.evaluate("{", "g()", "}")).isEqualTo("evaluated");
        assertThat(cell.run("%x")).isEqualTo("run");
        assertThat(host.asked).containsExactly("<f()>", "{<g()>}", "%x");
        assertThat(cell.around(snippet -> "not run", () -> "done")).isEqualTo("done");
    }

    @Test
    void itsThreadBelongsToIt() throws Exception {
        var scope = cell.thread().call(CurrentScope::find);
        assertThat(scope).isSameAs(cell);
        var loader = cell.thread().call(() -> Thread.currentThread().getContextClassLoader());
        assertThat(loader).isSameAs(host.loader());
    }

    @Test
    void aQuestionIsACellOfItsOwnWithTheSameOutput() {
        var asked = cell.asked("1 + 1");
        assertThat(asked.code()).isEqualTo("1 + 1");
        assertThat(asked.number()).isEqualTo(5);
        asked.notice("said");
        assertThat(output.err()).isEqualTo("said\n");
    }

    @Test
    void whoIsStoppedLeavesForAWhileOnEveryThread() throws Exception {
        assertThat(cell.isStopped()).isFalse();
        assertThat(cell.stops()).isFalse();
        var stops = new boolean[1];
        var running = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        cell.thread()
                .call(
                        () -> {
                            var thread =
                                    new Thread(
                                            () -> {
                                                running.countDown();
                                                while (!cell.stops()) {
                                                    Thread.onSpinWait();
                                                }
                                                stops[0] = true;
                                                over.countDown();
                                            });
                            thread.start();
                            return thread;
                        });
        running.await();
        cell.stop();
        over.await();
        assertThat(stops[0]).isTrue();
        assertThat(cell.isStopped()).isTrue();
        assertThat(cell.isExpired()).isFalse();
        assertThat(cell.isOver()).as("threads that it started may still run").isFalse();
        assertThatThrownBy(() -> cell.thread().call(() -> 1)).isInstanceOf(CellStopped.class);
    }

    @Test
    void codeOfAStoppedCellLeavesAtItsNextCheck() throws Exception {
        var unused = CurrentScope.call(cell, RunningCellTest::checked);
        cell.stop();
        assertThatThrownBy(() -> CurrentScope.call(cell, RunningCellTest::checked))
                .isInstanceOf(CellStopped.class);
    }

    private static boolean checked() {
        Guard.check();
        return true;
    }

    @Test
    void whoseTimeIsOverIsStoppedToo() {
        cell.expire();
        assertThat(cell.isExpired()).isTrue();
        assertThat(cell.isStopped()).isTrue();
    }

    @Test
    void oneThreadCanBeStoppedAlone() throws InterruptedException {
        var stops = new ArrayList<Boolean>();
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var thread =
                new Thread(
                        () -> {
                            running.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                stops.add(cell.stops());
                                stops.add(leaves());
                            }
                            awaitUninterrupted(go);
                        });
        thread.start();
        running.await();
        cell.stop(thread);
        assertThat(cell.stops()).as("on another thread").isFalse();
        assertThat(cell.isOver()).isFalse();
        go.countDown();
        thread.join();
        assertThat(stops).containsExactly(true, true);
        assertThat(cell.isOver()).isTrue();
    }

    private boolean leaves() {
        try {
            return !CurrentScope.call(cell, RunningCellTest::checked);
        } catch (CellStopped e) {
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void onlyItsOwnThreadHearsOfItsEnd() throws Exception {
        var ends = new ArrayList<End>();
        assertThat(cell.onEnd(ends::add)).isFalse();
        assertThat(cell.thread().call(() -> cell.onEnd(ends::add))).isTrue();
        var done = new CellOutcome.Done(Optional.empty());
        assertThat(cell.ended(done)).isSameAs(done);
        assertThat(cell.ended(done)).isSameAs(done);
        assertThat(ends).containsExactly(End.DONE);
        cell.thread().call(() -> cell.onEnd(ends::add));
        var unused = cell.ended(new CellOutcome.Failed("E", "m", List.of()));
        cell.thread().call(() -> cell.onEnd(ends::add));
        cell.stop();
        unused = cell.ended(done);
        assertThat(ends).containsExactly(End.DONE, End.FAILED, End.INTERRUPTED);
    }

    @Test
    void aFailureIsWordedByTheEngine() {
        assertThat(cell.trace(new IllegalStateException("x")))
                .containsExactly("IllegalStateException: x", "at cell 1");
        assertThat(cell.trace(CellStopped.now()))
                .containsExactly("KeyboardInterrupt: the callback was interrupted");
        assertThat(cell.frame("f")).contains("[f]");
        assertThat(cell.wording().line("E", "m").trace()).containsExactly("E: m");
    }

    @Test
    void aThreadOfAPoolThatRunsNoCellsCodeDoesItsOwnersWork() throws Exception {
        host.ran = Optional.of(host.cell("", 6, output));
        try (var pool = Executors.newSingleThreadExecutor()) {
            assertThat(pool.submit(() -> cell.doing(true)).get()).isSameAs(cell);
        }
    }

    @Test
    void aThreadOfItsOwnDoesItsOwnWork() throws Exception {
        assertThat(cell.doing(true)).isSameAs(cell);
        assertThat(cell.thread().call(() -> cell.doing(false))).isSameAs(cell);
        assertThat(cell.ran("5")).isFalse();
    }
}
