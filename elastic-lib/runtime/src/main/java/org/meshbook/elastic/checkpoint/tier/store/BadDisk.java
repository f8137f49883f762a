package org.meshbook.elastic.checkpoint.tier.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What is wrong with the disks of this process, on purpose; nothing until somebody begins it.
///
/// Both kinds leave the first half of what a file gets first. One a process, as all that it writes
/// goes to the disks of one host. Thread-safe.
public final class BadDisk {
    private static final BadDisk OF_PROCESS = new BadDisk();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Kind kind;
    private long until;
    private @Nullable Path struck;

    /// What is wrong.
    public enum Kind {
        /// As a power loss leaves it: every call succeeds, and the rest of one file is zeros.
        TORN,
        /// There is no room for the rest of any file, which the system says.
        FULL
    }

    private BadDisk() {}

    /// @return that of this process
    public static BadDisk ofProcess() {
        return OF_PROCESS;
    }

    /// Begins it.
    ///
    /// @param what is wrong from now on; torn is one file only
    /// @param time how long at most
    public void begin(Kind what, Duration time) {
        lock.lock();
        try {
            kind = what;
            struck = null;
            until = System.nanoTime() + time.toNanos();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until it has struck a file.
    ///
    /// @return the first one; empty if none was written before it ended
    /// @throws InterruptedException if the thread is interrupted
    public Optional<Path> awaitStruck() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (kind != null && struck == null && until - System.nanoTime() > 0) {
                var unused = changed.awaitNanos(until - System.nanoTime());
            }
            return Optional.ofNullable(struck);
        } finally {
            lock.unlock();
        }
    }

    /// Ends it; what was written stays as it is.
    public void end() {
        lock.lock();
        try {
            kind = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// @param file about to be written
    /// @return what is going to be wrong with it
    Optional<Kind> strikes(Path file) {
        lock.lock();
        try {
            if (kind == null || until - System.nanoTime() <= 0) {
                return Optional.empty();
            }
            var strikes = kind;
            struck = file;
            kind = strikes == Kind.TORN ? null : strikes;
            changed.signalAll();
            return Optional.of(strikes);
        } finally {
            lock.unlock();
        }
    }
}
