package org.meshbook.kernel.cell;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.Results;

/// What the cells gave, the newest first kept: a thousand values of 64 MB together, and always the
/// last one. What is let go can still be had as long as something else holds it. Thread-safe.
final class KeptResults implements Results {
    private static final int MOST = 1_000;
    private static final long MOST_BYTES = 64L << 20;
    private static final int THROWN_CELLS = 20;

    private final SequencedMap<Integer, Kept> kept = new LinkedHashMap<>();
    private final SequencedMap<Integer, WeakReference<Object>> gone = new LinkedHashMap<>();
    private long bytes;
    private boolean told;
    private @Nullable Throwable thrown;
    private WeakReference<Throwable> thrownLong = new WeakReference<>(null);
    private int cellsSince;

    /// A value.
    ///
    /// @param value it
    /// @param source the expression; empty if it came of a magic
    /// @param bytes roughly what it keeps
    private record Kept(@Nullable Object value, String source, long bytes) {}

    /// Keeps the value of a cell, and lets older ones go if it must.
    ///
    /// @param source the expression; empty if it came of a magic
    /// @return the cells whose values were let go
    synchronized List<Integer> put(int cell, @Nullable Object value, String source) {
        remove(cell);
        var added = new Kept(value, source, Weight.of(value));
        kept.putLast(cell, added);
        bytes += added.bytes();
        var old = new ArrayList<Integer>();
        while (kept.size() > 1 && (kept.size() > MOST || bytes > MOST_BYTES)) {
            var eldest = kept.firstEntry().getKey();
            letGo(eldest);
            old.add(eldest);
        }
        return old;
    }

    private void remove(int cell) {
        gone.remove(cell);
        var before = kept.remove(cell);
        bytes -= before == null ? 0 : before.bytes();
    }

    private void letGo(int cell) {
        var value = kept.get(cell);
        remove(cell);
        gone.putLast(cell, new WeakReference<>(value == null ? null : value.value()));
        if (gone.size() > MOST) {
            gone.pollFirstEntry();
        }
    }

    /// @return true, once
    synchronized boolean tellOnce() {
        var first = !told;
        told = true;
        return first;
    }

    /// Forgets every value, as if no cell had given one.
    synchronized void clear() {
        kept.clear();
        gone.clear();
        bytes = 0;
        thrown = null;
        thrownLong = new WeakReference<>(null);
    }

    synchronized void threw(Throwable what) {
        thrown = what;
        thrownLong = new WeakReference<>(what);
        cellsSince = 0;
    }

    /// Another cell has ended. What was thrown may hold arrays and so the memory of devices: it is
    /// not kept for ever, only until nobody is going to ask for it.
    synchronized void cellEnded() {
        if (++cellsSince > THROWN_CELLS) {
            thrown = null;
        }
    }

    /// @return whether the cell's value can be had
    synchronized boolean has(int cell) {
        return kept.containsKey(cell) || weak(cell) != null;
    }

    /// @return whether it was had once, and was let go
    synchronized boolean isGone(int cell) {
        return gone.containsKey(cell) && weak(cell) == null;
    }

    private @Nullable Object weak(int cell) {
        var reference = gone.get(cell);
        return reference == null ? null : reference.get();
    }

    /// @return the expression that gave the cell's value, if it was one
    synchronized Optional<String> source(int cell) {
        var found = kept.get(cell);
        return found == null || found.source().isEmpty()
                ? Optional.empty()
                : Optional.of(found.source());
    }

    @Override
    public synchronized @Nullable Object of(int cell) {
        var found = kept.get(cell);
        if (found != null) {
            return found.value();
        }
        var value = weak(cell);
        if (value == null) {
            throw new IllegalArgumentException(why(cell));
        }
        return value;
    }

    /// @return one line that says why a cell's value cannot be had
    synchronized String why(int cell) {
        if (gone.containsKey(cell)) {
            return "the result of cell %d was let go: the last %d are kept, %d MB at most; run the cell again, or keep what you need in a variable"
                    .formatted(cell, MOST, MOST_BYTES >> 20);
        }
        var newest =
                kept.reversed().keySet().stream()
                        .limit(5)
                        .sorted()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
        return newest.isEmpty()
                ? "cell %d has no result; no cell has one yet".formatted(cell)
                : "cell %d has no result; the latest cells with one are %s".formatted(cell, newest);
    }

    @Override
    public synchronized @Nullable Object last() {
        Map.@Nullable Entry<Integer, Kept> newest = kept.lastEntry();
        if (newest == null) {
            throw new IllegalArgumentException("no cell has a result yet");
        }
        return newest.getValue().value();
    }

    @Override
    public synchronized Optional<Throwable> lastException() {
        return Optional.ofNullable(thrown == null ? thrownLong.get() : thrown);
    }
}
