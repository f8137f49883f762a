package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Where callers wait for reports, answers and losses. Conditions are quick and take no lock.
final class Progress {
    /// No limit.
    static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// @return whether the condition holds
    boolean await(Duration atMost, BooleanSupplier until) throws InterruptedException {
        if (until.getAsBoolean()) {
            return true;
        }
        long left = atMost.compareTo(FOREVER) < 0 ? atMost.toNanos() : Long.MAX_VALUE;
        lock.lockInterruptibly();
        try {
            while (!until.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
