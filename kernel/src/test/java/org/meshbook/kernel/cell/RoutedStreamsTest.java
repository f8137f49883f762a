package org.meshbook.kernel.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.display.CurrentScope;

/// What is printed and read goes to the cell of the calling thread; without one, where it always
/// went.
@Timeout(30)
class RoutedStreamsTest {
    private final ByteArrayOutputStream originalOut = new ByteArrayOutputStream();
    private final ByteArrayOutputStream originalErr = new ByteArrayOutputStream();
    private final Recorded output = new Recorded("žofie", "7", "");
    private final RunningCell cell = new BareHost().cell("", 1, output);
    private final Streams streams =
            new Streams(
                    new PrintStream(new BufferedOutputStream(originalOut), false, UTF_8),
                    new PrintStream(new BufferedOutputStream(originalErr), false, UTF_8),
                    new ByteArrayInputStream("original".getBytes(UTF_8)));

    private <T> T inCell(Callable<T> work) throws Exception {
        return CurrentScope.call(cell, work);
    }

    private void printed(Runnable work) throws Exception {
        var unused =
                inCell(
                        () -> {
                            work.run();
                            return true;
                        });
    }

    @Test
    void outputOfNoCellGoesWhereItAlwaysWent() {
        streams.out().print("out");
        streams.out().write('!');
        streams.err().println("err");
        streams.out().flush();
        assertThat(originalOut.toString(UTF_8)).isEqualTo("out!");
        assertThat(originalErr.toString(UTF_8)).isEqualTo("err\n");
        assertThat(output.out() + output.err()).isEmpty();
    }

    @Test
    void outputOfACellGoesToItsStreams() throws Exception {
        printed(
                () -> {
                    streams.out().print("a日");
                    streams.out().write('b');
                    streams.err().println("c");
                    streams.out().flush();
                });
        assertThat(output.out()).isEqualTo("a日b");
        assertThat(output.err()).isEqualTo("c\n");
        assertThat(originalOut.size() + originalErr.size()).isZero();
    }

    @Test
    void aThreadPrintsIntoTheCellThatStartedIt() throws Exception {
        var thread = inCell(() -> new Thread(() -> streams.out().print("late")));
        thread.start();
        thread.join();
        assertThat(output.out()).isEqualTo("late");
    }

    @Test
    void aFrameOfAStackTraceIsNamedByItsCell() throws Exception {
        printed(
                () -> {
                    streams.err().println("\tat demo(REPL.java:1)");
                    streams.err().println("\tat hidden.Frame.run(Frame.java:5)");
                    streams.err().println("\tat");
                    streams.err().println("\tbat demo");
                    streams.err().println("at demo");
                    streams.err().print("\tat half");
                });
        assertThat(output.err())
                .isEqualTo("\tat [demo(REPL.java:1)]\n\tat\n\tbat demo\nat demo\n\tat half");
    }

    @Test
    void aFrameThatIsPrintedByNoCellStaysAsItIs() {
        streams.err().println("\tat demo(REPL.java:1)");
        assertThat(originalErr.toString(UTF_8)).isEqualTo("\tat demo(REPL.java:1)\n");
    }

    @Test
    void streamsOfOneCellAreItsOwnOnEveryThread() {
        Streams.of(cell, false).print("o");
        Streams.of(cell, true).print("e");
        Streams.of(cell, false).write('!');
        assertThat(output.out()).isEqualTo("o!");
        assertThat(output.err()).isEqualTo("e");
    }

    @Test
    void aCellIsAskedForOneLineAfterTheOther() throws Exception {
        var bytes = new byte[100];
        assertThat(inCell(() -> streams.in().read(bytes, 2, 50))).isEqualTo(7);
        assertThat(new String(bytes, 2, 7, UTF_8)).isEqualTo("žofie\n");
        assertThat(streams.in().available()).isZero();
        assertThat(inCell(() -> streams.in().read())).isEqualTo('7');
        assertThat(streams.in().available()).isOne();
        assertThat(CompletableFuture.supplyAsync(this::available).get()).isOne();
        assertThat(inCell(() -> streams.in().read(bytes, 0, 0))).isZero();
        assertThat(inCell(() -> streams.in().read())).isEqualTo('\n');
        assertThat(inCell(() -> streams.in().read())).isEqualTo('\n');
        assertThatThrownBy(() -> inCell(() -> streams.in().read()))
                .isInstanceOf(IOException.class)
                .hasMessage("nobody can be asked");
    }

    private int available() {
        try {
            return streams.in().available();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void whatIsReadIsNoNegativeByte() throws Exception {
        assertThat(inCell(() -> streams.in().read())).isEqualTo(0xC5);
    }

    @Test
    void whereThereIsNoCellTheOriginalIsRead() throws IOException {
        assertThat(streams.in().read()).isEqualTo('o');
        assertThat(streams.in().readAllBytes()).isEqualTo("riginal".getBytes(UTF_8));
        assertThat(streams.in().read()).isEqualTo(-1);
    }

    @Test
    void anInterruptWhileWaitingForALineStays() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> inCell(() -> streams.in().read()))
                .isInstanceOf(InterruptedIOException.class)
                .hasMessage("interrupted while waiting for a line");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatACellHasSetElsewhereIsTakenBack() {
        Streams.install();
        var out = System.out;
        var err = System.err;
        assertThat(Streams.restore()).isEmpty();
        System.setOut(new PrintStream(new ByteArrayOutputStream(), false, UTF_8));
        assertThat(Streams.restore()).isEqualTo("System.out");
        assertThat(System.out).isSameAs(out);
        System.setErr(System.out);
        System.setOut(new PrintStream(new ByteArrayOutputStream(), false, UTF_8));
        assertThat(Streams.restore()).isEqualTo("System.out and System.err");
        assertThat(System.out).isSameAs(out);
        assertThat(System.err).isSameAs(err);
        Streams.install();
        assertThat(System.out).as("installed once").isSameAs(out);
    }
}
