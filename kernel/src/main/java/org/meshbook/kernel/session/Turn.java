package org.meshbook.kernel.session;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellTask;

/// One cell or callback while the shell works on it, from before there is a task until its end: a
/// stop is never too early. Thread-safe.
final class Turn {
    private final boolean cell;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CellTask task;
    private @Nullable Thread waiting;
    private boolean stopped;

    /// @param cell whether it is a cell, not a callback
    Turn(boolean cell) {
        this.cell = cell;
    }

    boolean isCell() {
        return cell;
    }

    /// Stops it; returns at once.
    void stop() {
        CellTask running;
        lock.lock();
        try {
            stopped = true;
            running = task;
            if (waiting != null) {
                waiting.interrupt();
            }
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.interrupt();
        }
    }

    /// Waits for the engine, which may still be starting.
    ///
    /// @throws InterruptedException if this is stopped meanwhile
    CellEngine await(Future<CellEngine> engine) throws InterruptedException, ExecutionException {
        if (engine.isDone()) {
            return engine.get();
        }
        enter(Thread.currentThread());
        try {
            return engine.get();
        } finally {
            enter(null);
        }
    }

    private void enter(@Nullable Thread thread) throws InterruptedException {
        lock.lock();
        try {
            waiting = thread;
            // A stop that came while the engine did belongs to the task, not to this thread.
            var unused = Thread.interrupted();
            if (stopped && thread != null) {
                throw new InterruptedException("stopped");
            }
        } finally {
            lock.unlock();
        }
    }

    /// From now on, a stop stops this task; one that came before does so now.
    ///
    /// @return the task
    CellTask with(CellTask begun) {
        boolean late;
        lock.lock();
        try {
            task = begun;
            late = stopped;
        } finally {
            lock.unlock();
        }
        if (late) {
            begun.interrupt();
        }
        return begun;
    }
}
