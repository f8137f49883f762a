package org.meshbook.kernel.cell;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;

/// `System.out`, `System.err` and `System.in` of this process, which go to the cell that the
/// calling thread belongs to; while no cell was ever run, to the original streams.
///
/// Installed once, before anything that keeps the streams (logging) can see the originals.
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
