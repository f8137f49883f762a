package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;

/// One run of the program inside [Manager#elasticRetry]; used by the thread that runs it.
public final class Attempt {
    private final RetryLoop<?, ?> loop;
    private final int number;
    private final Set<Integer> active;
    private long completed;
    private long last = -1;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private boolean over;

    Attempt(RetryLoop<?, ?> loop, int number, Set<Integer> active) {
        this.loop = loop;
        this.number = number;
        this.active = active;
    }

    /// @return 1 for the first attempt
    public int number() {
        return number;
    }

    /// @return the manager that retries
    public Manager manager() {
        return loop.manager();
    }

    /// @return slices that were active when the attempt began, ascending
    public Set<Integer> startedOn() {
        return active;
    }

    /// Says that a step is done: ends a running recovery's account, counts as progress, and finds a
    /// loss even in a loop that reads no value.
    ///
    /// @param step the step's number; grows by one each time within an attempt
    /// @throws org.meshbook.elastic.slices.SliceLost if an active slice is lost; let it pass
    /// @throws Interrupted if a person pressed stop
    public void completed(long step) {
        require(!over, "attempt %d is over; report steps to the attempt that runs", number);
        completed++;
        last = step;
        loop.completed(step);
        if (Thread.currentThread().isInterrupted()) {
            throw new Interrupted(
                    "finishing step " + step, new InterruptedException("interrupt flag is set"));
        }
        manager().raisePendingLoss(step);
    }

    /// Ends this attempt if inactive slices are available, so that the next one starts on them too;
    /// for programs that cannot [change their mesh in place][Manager#resizeIfNeeded].
    public void startOverIfAvailable() {
        var available = manager().availableInactiveSlices();
        if (!available.isEmpty()) {
            throw new ScaleUp(available);
        }
    }

    /// Has something closed when this attempt ends in whatever way, before its arrays are freed and
    /// anybody is told: a profiler's trace, a reader of data. What was opened last is closed first.
    ///
    /// @param resource what to close; if that fails, the retry ends with the failure
    /// @param <C> its type
    /// @return the same
    public <C extends AutoCloseable> C closing(C resource) {
        require(!over, "attempt %d is over; open what you need in the attempt that runs", number);
        opened.push(resource);
        return resource;
    }

    long steps() {
        return completed;
    }

    long last() {
        return last;
    }

    void end() {
        over = true;
        @Nullable RuntimeException failure = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                failure = collected(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private RuntimeException collected(@Nullable RuntimeException first, Exception next) {
        if (next instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        if (first != null) {
            first.addSuppressed(next);
            return first;
        }
        return next instanceof RuntimeException unchecked
                ? unchecked
                : new UsageError("attempt %d could not close what it opened: %s", number, next);
    }
}
