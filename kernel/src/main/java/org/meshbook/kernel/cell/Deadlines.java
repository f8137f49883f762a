package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Does something when a time is over, unless it is taken back before.
final class Deadlines {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private Deadlines() {}

    private static ScheduledThreadPoolExecutor clock() {
        // Made by whichever cell comes first, but of no cell.
        var top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        var clock =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform()
                                .group(top)
                                .inheritInheritableThreadLocals(false)
                                .daemon()
                                .name("meshbook-deadlines")
                                .factory());
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    /// @param limit zero for never
    /// @param over what to do; must not block
    /// @return to be closed when it is no longer to be done
    static Deadline after(Duration limit, Runnable over) {
        return new Deadline(
                limit.isZero()
                        ? null
                        : CLOCK.schedule(over, limit.toNanos(), TimeUnit.NANOSECONDS));
    }

    /// One that is set.
    record Deadline(@org.jspecify.annotations.Nullable ScheduledFuture<?> future)
            implements AutoCloseable {
        @Override
        public void close() {
            if (future != null) {
                future.cancel(false);
            }
        }
    }
}
