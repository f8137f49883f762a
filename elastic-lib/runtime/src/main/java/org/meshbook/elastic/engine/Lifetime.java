package org.meshbook.elastic.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Of something native that many threads use and one closes: closing waits for nobody, and whoever
/// leaves last frees it. Thread-safe.
public final class Lifetime {
    private final String what;
    private final Runnable free;
    private final AtomicInteger users = new AtomicInteger(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param what its name in errors, as `graph 'step'`
    /// @param free called once, when it is closed and nobody uses it
    public Lifetime(String what, Runnable free) {
        this.what = what;
        this.free = free;
    }

    /// Begins a use, which [#leave()] ends.
    ///
    /// @throws IllegalStateException if it is closed and freed
    public void enter() {
        int before = users.getAndUpdate(count -> count == 0 ? 0 : count + 1);
        if (before == 0) {
            throw new IllegalStateException(what + " is closed");
        }
    }

    /// Ends a use.
    public void leave() {
        if (users.decrementAndGet() == 0) {
            free.run();
        }
    }

    /// Closes it, once.
    public void close() {
        if (closed.compareAndSet(false, true)) {
            leave();
        }
    }
}
