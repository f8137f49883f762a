package org.meshbook.kernel.widgets.model;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Does something at most once in a while, however often it is asked to: at once if the last time
/// is long ago, else when it is. Thread-safe.
public final class Pace {
    /// A thread of no cell: what it runs says itself where it belongs.
    private static final ScheduledExecutorService TIMER = timer();

    private final Runnable action;
    private final long gapNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private long last;
    private volatile boolean waiting;

    /// @param gap between two times
    /// @param action called on the asking thread, or on a timer's
    public Pace(Duration gap, Runnable action) {
        this.gapNanos = gap.toNanos();
        this.action = action;
        this.last = System.nanoTime() - gapNanos;
    }

    private static ScheduledExecutorService timer() {
        var timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform()
                                .daemon()
                                .inheritInheritableThreadLocals(false)
                                .name("meshbook-widgets")
                                .factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /// Asks for it.
    public void ask() {
        if (waiting) {
            return;
        }
        long wait;
        lock.lock();
        try {
            if (waiting) {
                return;
            }
            wait = last + gapNanos - System.nanoTime();
            if (wait > 0) {
                waiting = true;
            } else {
                last = System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
        if (wait > 0) {
            var unused = TIMER.schedule(this::due, wait, TimeUnit.NANOSECONDS);
        } else {
            action.run();
        }
    }

    /// Does it now.
    public void now() {
        lock.lock();
        try {
            last = System.nanoTime();
        } finally {
            lock.unlock();
        }
        action.run();
    }

    private void due() {
        lock.lock();
        try {
            waiting = false;
            last = System.nanoTime();
        } finally {
            lock.unlock();
        }
        action.run();
    }
}
