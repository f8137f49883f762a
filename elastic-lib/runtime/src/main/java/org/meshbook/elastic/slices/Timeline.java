package org.meshbook.elastic.slices;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Named spans of time, written by those who spend it and read by those who explain it. Thread-safe
/// and bounded.
public final class Timeline {
    private static final int KEPT = 10_000;

    private final Clock clock;
    private final List<Span> spans = new ArrayList<>();

    /// @param clock time
    public Timeline(Clock clock) {
        this.clock = clock;
    }

    /// One span.
    ///
    /// @param phase a word: detect, wait, remesh, compile, restore, replay, step
    /// @param start on the clock's monotonic time
    /// @param end on the clock's monotonic time
    /// @param bytes moved in it; 0 if none
    public record Span(String phase, Duration start, Duration end, long bytes) {
        /// @return how long it took
        public Duration length() {
            return end.minus(start);
        }
    }

    /// @param phase a word
    /// @param start on the clock's monotonic time
    /// @param end on the clock's monotonic time
    /// @param bytes moved in it
    public void add(String phase, Duration start, Duration end, long bytes) {
        synchronized (spans) {
            if (spans.size() == KEPT) {
                spans.subList(0, KEPT / 10).clear();
            }
            spans.add(new Span(phase, start, end, bytes));
        }
    }

    /// Runs a piece of work and writes down how long it took, also when it fails.
    ///
    /// @param phase a word
    /// @param work what to run
    /// @param <T> what it yields
    /// @return what it yielded
    public <T> T time(String phase, Supplier<T> work) {
        var start = clock.elapsed();
        try {
            return work.get();
        } finally {
            add(phase, start, clock.elapsed(), 0);
        }
    }

    /// @param from monotonic time
    /// @param to monotonic time
    /// @return spans that end within, in the order in which they were written
    public List<Span> between(Duration from, Duration to) {
        synchronized (spans) {
            return spans.stream()
                    .filter(s -> s.end().compareTo(from) >= 0 && s.end().compareTo(to) <= 0)
                    .toList();
        }
    }
}
