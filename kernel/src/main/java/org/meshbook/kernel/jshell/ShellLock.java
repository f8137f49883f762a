package org.meshbook.kernel.jshell;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Guards JShell, which is not thread-safe. Held while it compiles and keeps its books, free while
/// a cell's code runs.
///
/// A cell's thread may hold it, when a magic evaluates Java. An interrupt must not meet it then: an
/// interrupted read closes the compiler's jars for good. So it is shielded for so long, and meets
/// the interrupt afterwards.
final class ShellLock {
    private final ReentrantLock lock = new ReentrantLock();

    /// Does work under the lock.
    <T extends @org.jspecify.annotations.Nullable Object> T with(Supplier<T> work) {
        enter();
        try {
            return work.get();
        } finally {
            leave();
        }
    }

    private void enter() {
        UserThread.shield();
        lock.lock();
    }

    private void leave() {
        lock.unlock();
        UserThread.unshield();
    }

    /// Gives the lock away, however often the calling thread holds it.
    ///
    /// @return how often, for [#retake]
    int release() {
        var holds = lock.getHoldCount();
        for (var i = 0; i < holds; i++) {
            leave();
        }
        return holds;
    }

    void retake(int holds) {
        for (var i = 0; i < holds; i++) {
            enter();
        }
    }
}
