package org.meshbook.kernel.console.line;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.cell.ScriptedEngine;
import org.meshbook.kernel.console.Console;
import org.meshbook.kernel.console.Looks;
import org.meshbook.kernel.history.Entry;
import org.meshbook.kernel.history.History;
import org.meshbook.kernel.history.HistorySession;

/// The front at a terminal of pipes: keys go in as bytes, what a screen would get comes out.
@Timeout(30)
class TerminalFrontTest {
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PipedOutputStream keys = new PipedOutputStream();
    private final ScriptedEngine engine = new ScriptedEngine();
    private final HistorySession history = History.none().begin();
    private ExternalTerminal terminal;
    private TerminalFront front;

    @BeforeEach
    void open() throws IOException {
        terminal =
                new ExternalTerminal(
                        "test", "xterm", new PipedInputStream(keys, 1 << 16), screen, UTF_8);
        terminal.setSize(new Size(80, 24));
        history.add(1, "result first");
        history.add(2, "result second");
        front = new TerminalFront(terminal, engine, history, 0);
    }

    @AfterEach
    void close() {
        front.close();
    }

    private void type(String text) throws IOException {
        keys.write(text.getBytes(UTF_8));
        keys.flush();
    }

    private String shown() {
        return screen.toString(UTF_8);
    }

    @Test
    void aLineIsReadAtItsPrompt() throws IOException {
        type("result 1\r");
        assertThat(front.read(7)).isEqualTo("result 1");
        assertThat(shown()).contains("In [7]: ");
    }

    @Test
    void anIncompleteCellGoesOnIndented() throws IOException {
        type("if (x) {\rresult 1\r");
        assertThat(front.read(1)).isEqualTo("if (x) {\n    result 1");
        assertThat(shown()).contains("   ...: ");
    }

    @Test
    void aClosingBraceGoesBack() throws IOException {
        type("if (x) {\r}\r");
        assertThat(front.read(1)).isEqualTo("if (x) {\n}");
    }

    @Test
    void whatIsPastedIsTakenAsItIs() throws IOException {
        type("\u001b[200~a {\n\n\tb!\n}\u001b[201~\r");
        assertThat(front.read(1)).isEqualTo("a {\n\n\tb!\n}");
    }

    @Test
    void controlCDropsWhatIsTyped() throws IOException {
        var read = CompletableFuture.supplyAsync(() -> front.read(1));
        type("half");
        await().until(() -> shown().contains("half"));
        terminal.raise(org.jline.terminal.Terminal.Signal.INT);
        assertThat(read.join()).isEmpty();
    }

    @Test
    void controlDEndsTheInput() throws IOException {
        type("\u0004");
        assertThat(front.read(1)).isNull();
    }

    @Test
    void arrowsAndSearchFindEarlierCells() throws IOException {
        type("\u001b[A\r");
        assertThat(front.read(1)).isEqualTo("result second");
        type("\u0012first\r");
        assertThat(front.read(2)).isEqualTo("result first");
    }

    @Test
    void anExclamationMarkIsJavas() throws IOException {
        type("result !true && a!=b \\n\r");
        assertThat(front.read(1)).isEqualTo("result !true && a!=b \\n");
    }

    @Test
    void tabCompletesAndIndents() throws IOException {
        type("b\t\r");
        assertThat(front.read(1)).isEqualTo("b!");
        type("\tx\r");
        assertThat(front.read(2)).isEqualTo("    x");
    }

    @Test
    void aPasswordIsNotShown() throws Exception {
        var asked =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return front.ask("pin? ", true);
                            } catch (IOException | InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        // Typed ahead of the question, it would be echoed as any terminal does.
        await().until(() -> shown().contains("pin? "));
        type("s3cret\r");
        assertThat(asked.get(10, TimeUnit.SECONDS)).isEqualTo("s3cret");
        assertThat(shown()).contains("pin? ").contains("******").doesNotContain("s3cret");
    }

    @Test
    void anAnswerIsNoCell() throws Exception {
        type("Ann\r");
        assertThat(front.ask("name? ", false)).isEqualTo("Ann");
        type("\u001b[A\r");
        assertThat(front.read(1)).isEqualTo("result second");
    }

    @Test
    void controlCWhileACellAsksStopsTheCell() throws Exception {
        var stopped = new CompletableFuture<Boolean>();
        front.onInterrupt(() -> stopped.complete(true));
        var asked =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return front.ask("name? ", false);
                            } catch (IOException | InterruptedException e) {
                                return e.getClass().getSimpleName();
                            }
                        });
        await().until(() -> shown().contains("name? "));
        terminal.raise(org.jline.terminal.Terminal.Signal.INT);
        assertThat(asked.get(10, TimeUnit.SECONDS)).isEqualTo("InterruptedException");
        assertThat(stopped.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCellThatIsStoppedOtherwiseAsksNoMore() throws Exception {
        var ended = new CompletableFuture<String>();
        var cell =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        ended.complete(front.ask("name? ", false));
                                    } catch (IOException | InterruptedException e) {
                                        ended.complete(e.getClass().getSimpleName());
                                    }
                                });
        await().until(() -> shown().contains("name? "));
        cell.interrupt();
        assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo("InterruptedException");
    }

    @Test
    void lateOutputAppearsAboveWhatIsTyped() throws IOException {
        var read = CompletableFuture.supplyAsync(() -> front.read(1));
        type("half");
        await().until(() -> shown().contains("half"));
        front.print("late\n");
        await().until(() -> shown().indexOf("half", shown().indexOf("late")) > 0);
        type(" done\r");
        assertThat(read.join()).isEqualTo("half done");
    }

    @Test
    void controlCStopsTheRunningCellAndThePersonGoesOn() throws Exception {
        var console = new Console(engine, front, history);
        front.onInterrupt(console::interrupt);
        var status =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return console.run();
                            } catch (IOException e) {
                                return -1;
                            }
                        });
        type("hold\r");
        assertThat(engine.held.await(10, TimeUnit.SECONDS)).isTrue();
        terminal.raise(org.jline.terminal.Terminal.Signal.INT);
        await().until(() -> shown().contains("KeyboardInterrupt"));
        type("result 42\r\u0004");
        assertThat(status.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(shown()).contains("Out[2]: 42");
        assertThat(history.tail(2))
                .extracting(Entry::source, Entry::output)
                .containsExactly(
                        tuple("hold", Optional.empty()), tuple("result 42", Optional.of("42")));
    }

    @Test
    void aNewSizeIsFollowed() {
        terminal.setSize(new Size(132, 50));
        assertThat(front.looks().columns()).isEqualTo(132);
    }

    @Test
    void coloursAreWhatTheTerminalSays() {
        assertThat(TerminalFront.colours(Map.of("TERM", "xterm-256color"))).isEqualTo(256);
        assertThat(TerminalFront.colours(Map.of("TERM", "xterm", "COLORTERM", "truecolor")))
                .isEqualTo(Looks.TRUE_COLOUR);
        assertThat(TerminalFront.colours(Map.of("TERM", "xterm-256color", "NO_COLOR", "1")))
                .isZero();
        assertThat(TerminalFront.colours(Map.of("TERM", "dumb"))).isZero();
    }
}
