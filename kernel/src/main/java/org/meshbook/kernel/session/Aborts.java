package org.meshbook.kernel.session;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Whether cells that are queued are to be aborted: from a failure or an interrupt until everything
/// that had arrived by then is through. Thread-safe.
final class Aborts {
    private final AtomicInteger pending = new AtomicInteger();
    private final Consumer<Runnable> behindTheQueue;

    /// @param behindTheQueue runs an action on the shell's thread behind all that has arrived
    Aborts(Consumer<Runnable> behindTheQueue) {
        this.behindTheQueue = behindTheQueue;
    }

    void begin() {
        pending.incrementAndGet();
        behindTheQueue.accept(pending::decrementAndGet);
    }

    boolean pending() {
        return pending.get() > 0;
    }
}
