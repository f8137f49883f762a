package org.meshbook.elastic.transport;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// What everything that a worker sends or hears goes through. While it is shut nothing passes in
/// either direction and no socket closes: what is sent meanwhile waits, as TCP keeps it when a
/// network is cut, and whoever counts heartbeats misses them.
///
/// One a process, since a network is cut for all of it. Shut for a time only, as nobody could reach
/// in to open it. Thread-safe; costs a read of a field while it is open.
public final class Gate {
    private static final Gate OF_PROCESS = new Gate();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private volatile boolean shut;
    private long until;

    private Gate() {}

    /// @return the gate of this process
    public static Gate ofProcess() {
        return OF_PROCESS;
    }

    /// @param time from now until it opens by itself
    public void shut(Duration time) {
        lock.lock();
        try {
            until = System.nanoTime() + time.toNanos();
            shut = true;
        } finally {
            lock.unlock();
        }
    }

    /// Lets everything pass again.
    public void open() {
        lock.lock();
        try {
            shut = false;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits while it is shut; a thread that is interrupted goes through.
    public void pass() {
        if (!shut) {
            return;
        }
        lock.lock();
        try {
            while (shut) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    shut = false;
                    opened.signalAll();
                } else {
                    opened.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
