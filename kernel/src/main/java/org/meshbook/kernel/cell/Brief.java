package org.meshbook.kernel.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;
import org.meshbook.kernel.jshell.Guard;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// A cell while it shows a value, whose own code may never end: after a time it is stopped, and the
/// cell goes on.
final class Brief implements Scope, Guard.Stoppable {
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

    @Override
    public void write(boolean error, byte[] bytes, int offset, int length) {
        cell.write(error, bytes, offset, length);
    }

    @Override
    public void display(DisplayData data) {
        cell.display(data);
    }

    @Override
    public void update(DisplayData data) {
        cell.update(data);
    }

    @Override
    public void clear(boolean wait) {
        cell.clear(wait);
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException, InterruptedException {
        return cell.ask(prompt, password);
    }

    @Override
    public DisplayData render(@Nullable Object value) {
        return cell.render(value);
    }

    @Override
    public DisplayData render(@Nullable Object value, Set<String> types) {
        return cell.render(value, types);
    }

    @Override
    public Optional<Cell> asCell() {
        return cell.asCell();
    }

    @Override
    public Optional<Comms> comms() {
        return cell.comms();
    }

    @Override
    public KeptResults results() {
        return cell.results();
    }
}
