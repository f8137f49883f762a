package org.meshbook.kernel.cell;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.ConsoleHandler;
import java.util.logging.Logger;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;

/// `System.out`, `System.err` and `System.in` of this process, which go to the cell that the
/// calling thread belongs to; while no cell was ever run, to the original streams.
///
/// Installed once; logging that kept the original streams is given these.
final class Streams {
    private static boolean installed;

    private Streams() {}

    static synchronized void install() {
        if (installed) {
            return;
        }
        installed = true;
        System.setOut(print(new Routed(System.out, false)));
        System.setErr(print(new Routed(System.err, true)));
        System.setIn(new Asking(System.in));
        logToCells();
    }

    /// What was logged before, in this process, made a handler that keeps the original stream.
    private static void logToCells() {
        var root = Logger.getLogger("");
        for (var handler : root.getHandlers()) {
            if (handler instanceof ConsoleHandler) {
                var routed = new ConsoleHandler();
                routed.setLevel(handler.getLevel());
                routed.setFormatter(handler.getFormatter());
                root.removeHandler(handler);
                root.addHandler(routed);
            }
        }
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

    private static PrintStream print(OutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private static final class Routed extends OutputStream {
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
            } else {
                scope.write(error, bytes, offset, length);
            }
        }

        @Override
        public void flush() {
            if (CurrentScope.find() == null) {
                original.flush();
            }
        }
    }

    private static final class Asking extends InputStream {
        private final InputStream original;
        private byte[] line = {};
        private int next;

        Asking(InputStream original) {
            this.original = original;
        }

        @Override
        public synchronized int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
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
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for a line");
            }
        }

        @Override
        public synchronized int available() {
            return line.length - next;
        }
    }
}
