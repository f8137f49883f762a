package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.spi.Workspace.Entry;

/// The cells of one engine that were run, and those that run. Thread-safe.
final class PastCells {
    private static final int MOST = 5_000;

    private final Deque<Past> cells = new ArrayDeque<>();

    /// One cell; how it ended is written once.
    static final class Past {
        private final int number;
        private final String code;
        private final long began = System.nanoTime();
        private volatile Optional<Duration> took = Optional.empty();
        private volatile boolean failed;

        private Past(int number, String code) {
            this.number = number;
            this.code = code;
        }

        void ended(boolean failed) {
            this.failed = failed;
            took = Optional.of(Duration.ofNanos(System.nanoTime() - began));
        }
    }

    /// @return the cell, from now on the last
    synchronized Past began(int number, String code) {
        var past = new Past(number, code);
        cells.add(past);
        if (cells.size() > MOST) {
            var unused = cells.remove();
        }
        return past;
    }

    synchronized List<Entry> entries() {
        return cells.stream().map(p -> new Entry(p.number, p.code, p.took, p.failed)).toList();
    }
}
