package org.meshbook.elastic.slices;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// The machine's clock. Conditions are tested under the lock that [#wake()] takes, so that no wake
/// is lost between a test and the wait that follows it.
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();
    private static final System.Logger LOG = System.getLogger(SystemClock.class.getName());

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private long wakes;

    private SystemClock() {}

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime());
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long before = wakes;
            long left = nanos(time);
            while (left > 0 && wakes == before) {
                left = woken.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean await(Duration atMost, BooleanSupplier until) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos(atMost);
            while (!until.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = woken.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            wakes++;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Task start(String name, Runnable work) {
        var ended = new AtomicBoolean();
        var thread =
                Thread.ofVirtual()
                        .name(name)
                        .start(
                                () -> {
                                    try {
                                        work.run();
                                    } catch (RuntimeException | Error e) {
                                        LOG.log(System.Logger.Level.ERROR, name + " ended", e);
                                    } finally {
                                        ended.set(true);
                                        wake();
                                    }
                                });
        return new Started(thread, ended);
    }

    private static long nanos(Duration time) {
        return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0
                ? Long.MAX_VALUE
                : time.toNanos();
    }

    private record Started(Thread thread, AtomicBoolean ended) implements Task {
        @Override
        public boolean done() {
            return ended.get();
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public boolean current() {
            return Thread.currentThread() == thread;
        }
    }
}
