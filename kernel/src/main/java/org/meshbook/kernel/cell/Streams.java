package org.meshbook.kernel.cell;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.ConsoleHandler;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;

/// `System.out`, `System.err` and `System.in` of this process, which go to the cell that the
/// calling thread belongs to; while no cell was ever run, to the original streams.
///
/// Installed once; logging that kept the original streams is given these.
final class Streams {
    private static @Nullable Streams installed;

    private final PrintStream out;
    private final PrintStream err;
    private final InputStream in;

    /// @param out where output of no cell goes, as the other two
    Streams(PrintStream out, PrintStream err, InputStream in) {
        this.out = print(new Routed(out, false));
        this.err = print(new Routed(err, true));
        this.in = new Asking(in);
    }

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    InputStream in() {
        return in;
    }

    static synchronized void install() {
        if (installed != null) {
            return;
        }
        // What java.lang.IO, and whoever wraps the streams, makes of bytes.
        for (var name : List.of("stdin.encoding", "stdout.encoding", "stderr.encoding")) {
            System.setProperty(name, StandardCharsets.UTF_8.name());
        }
        installed = new Streams(System.out, System.err, System.in);
        System.setOut(installed.out);
        System.setErr(installed.err);
        System.setIn(installed.in);
        logToCells();
    }

    /// Takes the streams back that a cell has set elsewhere: the cells to come would print nothing.
    ///
    /// @return what was taken back, to be said; empty for nothing
    static synchronized String restore() {
        if (installed == null) {
            return "";
        }
        var taken = new ArrayList<String>();
        if (System.out != installed.out) {
            System.setOut(installed.out);
            taken.add("System.out");
        }
        if (System.err != installed.err) {
            System.setErr(installed.err);
            taken.add("System.err");
        }
        return String.join(" and ", taken);
    }

    /// What was logged before, in this process, made a handler that keeps the original stream. Who
    /// has configured logging gets what they asked for.
    private static void logToCells() {
        var root = Logger.getLogger("");
        for (var handler : root.getHandlers()) {
            if (handler instanceof ConsoleHandler) {
                var routed = new ConsoleHandler();
                routed.setLevel(handler.getLevel());
                routed.setFormatter(isConfigured() ? handler.getFormatter() : new LogLine());
                root.removeHandler(handler);
                root.addHandler(routed);
            }
        }
    }

    private static boolean isConfigured() {
        return Stream.of("config.file", "config.class", "SimpleFormatter.format")
                .anyMatch(name -> System.getProperty("java.util.logging." + name) != null);
    }

    /// @return a stream of one cell, wherever it is called
    static PrintStream of(Scope scope, boolean error) {
        return print(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        write(new byte[] {(byte) b}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) {
                        scope.write(error, bytes, offset, length);
                    }
                });
    }

    /// A plain one: of a class below it, each line would be two writes.
    private static PrintStream print(OutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private static final class Routed extends OutputStream {
        private static final String FRAME = "\tat ";

        private final PrintStream original;
        private final boolean error;

        Routed(PrintStream original, boolean error) {
            this.original = original;
            this.error = error;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            var scope = CurrentScope.find();
            if (scope == null) {
                original.write(bytes, offset, length);
            } else if (scope instanceof RunningCell cell && isFrame(bytes, offset, length)) {
                frame(cell, new String(bytes, offset, length, StandardCharsets.UTF_8));
            } else {
                scope.write(error, bytes, offset, length);
            }
        }

        /// Whether it is a line of a stack trace, as `printStackTrace` writes one.
        private static boolean isFrame(byte[] bytes, int offset, int length) {
            return length > FRAME.length()
                    && bytes[offset] == '\t'
                    && bytes[offset + length - 1] == '\n'
                    && new String(bytes, offset, FRAME.length(), StandardCharsets.UTF_8)
                            .equals(FRAME);
        }

        /// Names the line of a cell, and leaves out how a cell comes to run.
        private void frame(RunningCell cell, String line) {
            cell.frame(line.substring(FRAME.length()).stripTrailing())
                    .map(shown -> (FRAME + shown + "\n").getBytes(StandardCharsets.UTF_8))
                    .ifPresent(shown -> cell.write(error, shown, 0, shown.length));
        }

        @Override
        public void flush() {
            if (CurrentScope.find() == null) {
                original.flush();
            }
        }
    }

    /// A line at a time, so that a reader that fills a buffer takes no more than was typed for it.
    private static final class Asking extends InputStream {
        private final InputStream original;
        private final ReentrantLock lock = new ReentrantLock();
        private byte[] line = {};
        private int next;

        Asking(InputStream original) {
            this.original = original;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException e) {
                throw interrupted();
            }
            try {
                return locked(bytes, offset, length);
            } finally {
                lock.unlock();
            }
        }

        private int locked(byte[] bytes, int offset, int length) throws IOException {
            if (next == line.length) {
                var scope = CurrentScope.find();
                if (scope == null) {
                    return original.read(bytes, offset, length);
                }
                line = (ask(scope) + "\n").getBytes(StandardCharsets.UTF_8);
                next = 0;
            }
            var count = Math.min(length, line.length - next);
            System.arraycopy(line, next, bytes, offset, count);
            next += count;
            return count;
        }

        private static String ask(Scope scope) throws IOException {
            try {
                return scope.ask("", false);
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }

        private static InterruptedIOException interrupted() {
            Thread.currentThread().interrupt();
            return new InterruptedIOException("interrupted while waiting for a line");
        }

        @Override
        public int available() {
            if (!lock.tryLock()) {
                return 0;
            }
            try {
                return line.length - next;
            } finally {
                lock.unlock();
            }
        }
    }
}
