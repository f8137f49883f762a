package org.meshbook.kernel.console;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellTask;
import org.meshbook.kernel.history.HistorySession;

/// Reads cells and runs them, until the input ends or a cell says `%exit`. Without a person the
/// first failure ends it.
public final class Console {
    private final CellEngine engine;
    private final Front front;
    private final HistorySession history;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile boolean reading;
    private volatile @Nullable CellTask running;

    /// @param engine runs the cells; not closed here
    /// @param front where cells come from; not closed here
    /// @param history is told each cell
    public Console(CellEngine engine, Front front, HistorySession history) {
        this.engine = engine;
        this.front = front;
        this.history = history;
    }

    /// Reads and runs to the end.
    ///
    /// @return 0, or 1 if a cell failed and nobody was there to go on
    /// @throws IOException if the input breaks
    public int run() throws IOException {
        try (var pictures = new Pictures(front.looks())) {
            for (var number = 1; ; number++) {
                var code = read(number);
                if (code == null) {
                    return 0;
                }
                if (code.isBlank()) {
                    number--;
                    continue;
                }
                history.add(number, code);
                var outcome = run(code, number, pictures);
                if (outcome instanceof CellOutcome.Exit) {
                    return 0;
                }
                if (outcome instanceof CellOutcome.Failed && !front.looks().person()) {
                    return 1;
                }
            }
        }
    }

    private @Nullable String read(int number) throws IOException {
        stopped.set(false);
        reading = true;
        try {
            return front.read(number);
        } finally {
            reading = false;
        }
    }

    private CellOutcome run(String code, int number, Pictures pictures) {
        var output = new ConsoleOutput(front, pictures);
        var task = engine.cell(code, number, output);
        running = task;
        if (stopped.get()) {
            task.interrupt(); // it came before there was a cell
        }
        try {
            var outcome = task.run();
            output.ended(outcome, number).ifPresent(text -> history.output(number, text));
            return outcome;
        } finally {
            running = null;
        }
    }

    /// Ctrl-C: stops the running cell, or drops what is typed so far. Any thread.
    public void interrupt() {
        if (reading) {
            front.drop();
            return;
        }
        stopped.set(true);
        var task = running;
        if (task != null) {
            task.interrupt();
        }
    }
}
