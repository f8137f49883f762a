package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.function.Supplier;
import org.meshbook.kernel.display.Behalf;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.jshell.Guard;

/// A cell while it shows a value, whose own code may never end: after a time it is stopped, and the
/// cell goes on.
final class Brief implements Behalf, Guard.Stoppable {
    private final RunningCell cell;
    private final Thread thread = Thread.currentThread();
    private boolean done;
    private volatile boolean over;

    private Brief(RunningCell cell) {
        this.cell = cell;
    }

    /// Does work on the calling thread, which belongs to the cell.
    static <T> T within(RunningCell cell, Duration limit, Supplier<T> work) {
        if (!(CurrentScope.find() instanceof RunningCell)) {
            return work.get();
        }
        var brief = new Brief(cell);
        try (var _ = Deadlines.after(limit, brief::expire)) {
            return CurrentScope.within(brief, work);
        } finally {
            brief.finish();
        }
    }

    private synchronized void expire() {
        if (!done) {
            over = true;
            Guard.raise(this);
            thread.interrupt();
        }
    }

    private synchronized void finish() {
        done = true;
        // The interrupt was meant for the value's code, unless the cell is stopped, too.
        if (over && Thread.interrupted() && cell.isStopped()) {
            thread.interrupt();
        }
    }

    @Override
    public RunningCell cell() {
        return cell;
    }

    @Override
    public boolean stops() {
        return (over && Thread.currentThread() == thread) || cell.stops();
    }

    @Override
    public boolean ran(String snippet) {
        return cell.ran(snippet);
    }

    @Override
    public synchronized boolean isOver() {
        return done;
    }
}
