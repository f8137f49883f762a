package org.meshbook.kernel.widgets;

import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.meshbook.kernel.display.Scope.End;

/// A progress bar: follows a loop by itself, or is moved by hand.
///
/// ```java
/// for (var file : Progress.of(files)) { ... }
/// Progress.of(words.stream()).map(...).toList();
/// try (var bar = Progress.start("download", bytes)) { ...; bar.step(n); }
/// ```
///
/// The bar of a loop inside another one stands below it, and goes when the outer one moves on. It
/// is painted at most ten times a second. A loop that ends early leaves its bar where it was: red
/// if the cell failed or was interrupted. Thread-safe; a bar belongs to the thread that started it.
public final class Progress implements AutoCloseable {
    private final Bars bars;
    private final Bar bar;

    private Progress(String label, long total, boolean loop) {
        bars = Bars.mine();
        bar = new Bar(label, total, loop);
        bars.add(bar);
    }

    private static Progress loop(String label, long total) {
        return new Progress(label, total, true);
    }

    /// @param items gone through at most once at a time
    /// @return the same items, with a bar for each time that they are gone through
    public static <T> Iterable<T> of(Iterable<T> items) {
        return of("", items);
    }

    /// @param label says what is done
    /// @param items gone through at most once at a time
    /// @return the same items, with a bar for each time that they are gone through
    public static <T> Iterable<T> of(String label, Iterable<T> items) {
        var total = items instanceof Collection<?> all ? all.size() : Bar.UNKNOWN;
        return () -> new Counted.Items<>(items.iterator(), loop(label, total));
    }

    /// @param items an array
    /// @return its items, with a bar
    public static <T> Iterable<T> of(T[] items) {
        return of(java.util.List.of(items));
    }

    /// @param items a stream, parallel or not
    /// @return the same stream, with a bar
    public static <T> Stream<T> of(Stream<T> items) {
        return of("", items);
    }

    /// @param label says what is done
    /// @param items a stream, parallel or not
    /// @return the same stream, with a bar
    public static <T> Stream<T> of(String label, Stream<T> items) {
        var parallel = items.isParallel();
        var source = items.spliterator();
        var counted = new Counted.Parts<>(source, loop(label, source.getExactSizeIfKnown()));
        return StreamSupport.stream(counted, parallel).onClose(items::close);
    }

    /// @param count how many
    /// @return 0 to `count` - 1, with a bar
    public static Iterable<Integer> range(int count) {
        return range("", count);
    }

    /// @param label says what is done
    /// @param count how many
    /// @return 0 to `count` - 1, with a bar
    public static Iterable<Integer> range(String label, int count) {
        if (count < 0) {
            throw new IllegalArgumentException("a range of " + count + "; counts start at 0");
        }
        return () -> new Counted.Items<>(IntStream.range(0, count).iterator(), loop(label, count));
    }

    /// Starts a bar that is moved by hand.
    ///
    /// @param label says what is done
    /// @param total where it is full; 0 or less if that is not known
    /// @return the bar
    public static Progress start(String label, long total) {
        return new Progress(label, total > 0 ? total : Bar.UNKNOWN, false);
    }

    /// Moves it on by one.
    public void step() {
        step(1);
    }

    /// @param more how far to move it on
    public void step(long more) {
        bar.add(more);
        bars.moved(bar);
    }

    /// @param count where to move it
    public void at(long count) {
        bar.count(count);
        bars.moved(bar);
    }

    /// @param text shown behind it, as the newest loss
    public void note(String text) {
        bar.note(text);
        bars.moved(bar);
    }

    /// Ends it. One that is not full counts as stopped there; as failed, if its cell fails.
    @Override
    public void close() {
        bars.end(bar, bar.isFull() ? End.DONE : null);
    }

    /// Ends it, full.
    void done() {
        if (bar.isRunning()) {
            bar.fill();
            bars.end(bar, End.DONE);
        }
    }

    /// Ends it, red.
    public void fail() {
        bars.end(bar, End.FAILED);
    }

    /// @return as it reads in a terminal
    @Override
    public String toString() {
        return BarLook.text(bar);
    }
}
