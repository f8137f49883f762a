package org.meshbook.elastic.controller;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// How much device memory the arrays of this process hold, dropped ones included until the garbage
/// collector has found them.
///
/// Array objects are tiny here and large there: this process could go on for long without a
/// collection while workers fill up. So when what is held has grown by a budget since the last
/// collection, one is asked for, on a thread of its own.
final class Memory {
    private static final long BUDGET_BYTES = 1L << 30;
    private static final int LISTED = 5;

    private final AtomicLong held = new AtomicLong();
    private final Set<ArrayState> arrays = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean collecting = new AtomicBoolean();
    private volatile long limit = BUDGET_BYTES;

    void taken(ArrayState array) {
        arrays.add(array);
        if (held.addAndGet(array.bytes()) > limit && collecting.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("collect arrays").start(this::collect);
        }
    }

    /// @return how many arrays hold it
    int arrays() {
        return arrays.size();
    }

    /// @return bytes on all devices
    long bytes() {
        return held.get();
    }

    void freed(ArrayState array) {
        if (arrays.remove(array)) {
            held.addAndGet(-array.bytes());
        }
    }

    /// What a person who has run out of memory wants to know: which arrays take most, and whose
    /// they are.
    ///
    /// @return as "; the largest of 12 arrays: 1024 MiB f32[512,524288] of cell 5, ..."
    String largest() {
        var largest =
                arrays.stream()
                        .filter(array -> !array.poisoned())
                        .sorted(Comparator.comparingLong(ArrayState::bytes).reversed())
                        .limit(LISTED)
                        .map(Memory::words)
                        .toList();
        return largest.isEmpty()
                ? ""
                : "; the largest of %d arrays: %s"
                        .formatted(arrays.size(), String.join(", ", largest));
    }

    private static String words(ArrayState array) {
        var owner = array.owner().isEmpty() ? "" : " of " + array.owner();
        long bytes = array.bytes();
        var size = bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : Math.max(1, bytes >> 10) + " KiB";
        return size + " " + array.words() + owner;
    }

    private void collect() {
        System.gc();
        // What is still held after it was alive, or waits for the cleaner's thread.
        limit = held.get() + BUDGET_BYTES;
        collecting.set(false);
    }
}
