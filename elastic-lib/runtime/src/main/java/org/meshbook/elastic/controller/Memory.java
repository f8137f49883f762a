package org.meshbook.elastic.controller;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// How much device memory the arrays of this process hold, dropped ones included until the garbage
/// collector has found them.
///
/// Array objects are tiny here and large there: this process could go on for long without a
/// collection while workers fill up. So when what is held has grown by a budget since the last
/// collection, one is asked for, on a thread of its own.
final class Memory {
    private static final long BUDGET_BYTES = 1L << 30;

    private final AtomicLong held = new AtomicLong();
    private final AtomicInteger arrays = new AtomicInteger();
    private final AtomicBoolean collecting = new AtomicBoolean();
    private volatile long limit = BUDGET_BYTES;

    void taken(long bytes) {
        arrays.incrementAndGet();
        if (held.addAndGet(bytes) > limit && collecting.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("collect arrays").start(this::collect);
        }
    }

    /// @return how many arrays hold it
    int arrays() {
        return arrays.get();
    }

    /// @return bytes on all devices
    long bytes() {
        return held.get();
    }

    void freed(long bytes) {
        arrays.decrementAndGet();
        held.addAndGet(-bytes);
    }

    private void collect() {
        System.gc();
        // What is still held after it was alive, or waits for the cleaner's thread.
        limit = held.get() + BUDGET_BYTES;
        collecting.set(false);
    }
}
