package org.meshbook.kernel.widgets;

import java.util.concurrent.atomic.AtomicLong;

/// Where one progress bar stands. Thread-safe.
final class Bar {
    static final long UNKNOWN = -1;

    private final String label;
    private final long total;
    private final boolean loop;
    private final AtomicLong count = new AtomicLong();
    private final long startNanos = System.nanoTime();
    private volatile State state = State.RUNNING;
    private volatile String note = "";
    private volatile long endNanos;

    /// What became of it.
    enum State {
        RUNNING,
        DONE,
        STOPPED,
        FAILED,
        INTERRUPTED
    }

    /// @param total where it is full, or [#UNKNOWN]
    /// @param loop whether it follows a loop, which cannot go on once its thread does something
    ///   else
    Bar(String label, long total, boolean loop) {
        this.label = label;
        this.loop = loop;
        this.total = total;
    }

    String label() {
        return label;
    }

    boolean isLoop() {
        return loop;
    }

    long total() {
        return total;
    }

    boolean isTotalKnown() {
        return total >= 0;
    }

    long count() {
        return count.get();
    }

    void add(long more) {
        count.addAndGet(more);
        revive();
    }

    void count(long now) {
        count.set(now);
        revive();
    }

    /// What was taken to have stopped goes on.
    private void revive() {
        if (state == State.STOPPED) {
            state = State.RUNNING;
        }
    }

    /// Everything was done, however much it was.
    void fill() {
        if (isTotalKnown()) {
            count.set(total);
        }
    }

    boolean isFull() {
        return !isTotalKnown() || count() >= total;
    }

    String note() {
        return note;
    }

    void note(String text) {
        note = text;
    }

    State state() {
        return state;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    void state(State next) {
        if (isRunning()) {
            endNanos = System.nanoTime();
        }
        state = next;
    }

    /// @return seconds from its start to its end, or to now
    double seconds() {
        return ((isRunning() ? System.nanoTime() : endNanos) - startNanos) / 1e9;
    }

    /// @return part done, 0 to 1; 0 if the total is not known, 1 if it is and is 0
    double part() {
        if (!isTotalKnown()) {
            return state == State.DONE ? 1 : 0;
        }
        return total == 0 ? 1 : Math.clamp((double) count() / total, 0, 1);
    }
}
