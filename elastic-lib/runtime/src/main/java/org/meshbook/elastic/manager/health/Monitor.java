package org.meshbook.elastic.manager.health;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.slices.Clock;

/// One daemon thread that looks for inactive slices that answer again: at once when nudged,
/// otherwise once a poll.
public final class Monitor {
    private static final System.Logger LOG = System.getLogger(Monitor.class.getName());
    private static final Duration JOIN = Duration.ofSeconds(5);

    private final Clock clock;
    private final Check check;
    private final AtomicLong nudges = new AtomicLong();
    private volatile long handled;
    private @Nullable Watch watch;

    /// One look at the inactive slices.
    @FunctionalInterface
    public interface Check {
        /// Looks, and does what follows from it.
        ///
        /// @throws InterruptedException if the thread is interrupted
        void run() throws InterruptedException;
    }

    private static final class Watch {
        private volatile boolean stopped;
        private volatile Clock.@Nullable Task task;
    }

    /// @param clock time
    /// @param check what to do at each look
    public Monitor(Clock clock, Check check) {
        this.clock = clock;
        this.check = check;
    }

    /// Starts the thread, unless it runs.
    ///
    /// @param poll time between looks when nothing nudges
    public synchronized void start(Duration poll) {
        if (watch != null && !done(watch)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "monitoring is already on; poll={0} ignored",
                    poll);
            return;
        }
        var fresh = new Watch();
        watch = fresh;
        fresh.task = clock.start("elastic-monitor", () -> run(fresh, poll));
    }

    /// Has the monitor look at once.
    public void nudge() {
        nudges.incrementAndGet();
        clock.wake();
    }

    /// Ends the thread and waits for it, unless called by it.
    public void close() {
        Watch ending;
        synchronized (this) {
            ending = watch;
            watch = null;
        }
        if (ending == null) {
            return;
        }
        ending.stopped = true;
        clock.wake();
        var task = ending.task;
        if (task == null || task.current()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (!clock.await(JOIN, task::done)) {
                LOG.log(System.Logger.Level.WARNING, "monitor still runs after={0}", JOIN);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Watch mine, Duration poll) {
        try {
            while (!mine.stopped) {
                long seen = handled;
                clock.await(poll, () -> mine.stopped || nudges.get() != seen);
                if (mine.stopped) {
                    return;
                }
                handled = nudges.get();
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        try {
            check.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a probe of inactive slices failed", e);
        }
    }

    private static boolean done(Watch watch) {
        var task = watch.task;
        return task != null && task.done();
    }
}
