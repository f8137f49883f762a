package org.meshbook.elastic.train;

import static org.meshbook.elastic.UsageError.require;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.meshbook.elastic.slices.Clock;

/// Says what every thread does when a program has made no progress for a while.
///
/// Each [#tick] gives it the whole time again, so that what is slow but goes on is left alone; but
/// never beyond a cap, so that what ticks for ever and gets nowhere is found, too. What follows is
/// the listener's business: to log, to interrupt, to end the process.
///
/// ```java
/// try (var dog = Watchdog.of(clock, Duration.ofMinutes(1), Duration.ofMinutes(20), Watchdog::log)) {
///     trainer.watch((step, mesh) -> dog.tick()).train(init, step, 1_000);
/// }
/// ```
///
/// Thread-safe. Source: MaxText's watchdog, which slow discovery of hosts tripped.
public final class Watchdog implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Watchdog.class.getName());

    private final Clock clock;
    private final Duration timeout;
    private final Duration atMost;
    private final Consumer<Silence> listener;
    private final Duration begun;
    private volatile Duration last;
    private volatile boolean closed;

    /// Nothing was heard for too long.
    ///
    /// @param since the last tick, or the last silence
    /// @param total since the beginning
    /// @param capped whether the cap was reached, whatever the ticks
    /// @param stacks of all threads, as text
    public record Silence(Duration since, Duration total, boolean capped, String stacks) {
        @Override
        public String toString() {
            return "%s; stacks follow%n%s"
                    .formatted(
                            capped
                                    ? "not done after %d s, which is the cap"
                                            .formatted(total.toSeconds())
                                    : "no progress for %d s".formatted(since.toSeconds()),
                            stacks);
        }
    }

    private Watchdog(Clock clock, Duration timeout, Duration atMost, Consumer<Silence> listener) {
        require(timeout.isPositive(), "a watchdog's time-out of %s; give a positive time", timeout);
        require(
                atMost.compareTo(timeout) >= 0,
                "a watchdog's cap of %s is below its time-out of %s",
                atMost,
                timeout);
        this.clock = clock;
        this.timeout = timeout;
        this.atMost = atMost;
        this.listener = listener;
        this.begun = clock.elapsed();
        this.last = begun;
    }

    /// Begins to watch.
    ///
    /// @param clock time
    /// @param timeout between two ticks; each time that it passes is told
    /// @param atMost cap of it all; told once, and the last that is
    /// @param listener told on a thread of the watchdog
    /// @return the watchdog; ends when closed
    public static Watchdog of(
            Clock clock, Duration timeout, Duration atMost, Consumer<Silence> listener) {
        var dog = new Watchdog(clock, timeout, atMost, listener);
        clock.start("meshbook-watchdog", dog::watch);
        return dog;
    }

    /// Writes a silence to the log; a listener.
    ///
    /// @param silence what was found
    public static void log(Silence silence) {
        LOG.log(Level.WARNING, silence.toString());
    }

    /// There was progress.
    public void tick() {
        last = clock.elapsed();
    }

    /// Ends it; idempotent.
    @Override
    public void close() {
        closed = true;
        clock.wake();
    }

    private void watch() {
        try {
            while (!closed) {
                var now = clock.elapsed();
                boolean capped = now.minus(begun).compareTo(atMost) >= 0;
                if (capped || now.minus(last).compareTo(timeout) >= 0) {
                    listener.accept(
                            new Silence(now.minus(last), now.minus(begun), capped, stacks()));
                    last = now;
                }
                if (capped) {
                    return;
                }
                var quiet = timeout.minus(now.minus(last));
                var left = atMost.minus(now.minus(begun));
                clock.await(quiet.compareTo(left) < 0 ? quiet : left, () -> closed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String stacks() {
        var byName = new TreeMap<String, StackTraceElement[]>();
        Thread.getAllStackTraces()
                .forEach(
                        (thread, frames) ->
                                byName.put(thread.getName() + " " + thread.threadId(), frames));
        var text = new StringBuilder();
        for (Map.Entry<String, StackTraceElement[]> thread : byName.entrySet()) {
            text.append(thread.getKey()).append(System.lineSeparator());
            for (var frame : thread.getValue()) {
                text.append("    at ").append(frame).append(System.lineSeparator());
            }
        }
        return text.toString();
    }
}
