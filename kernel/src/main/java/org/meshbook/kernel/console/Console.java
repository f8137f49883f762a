package org.meshbook.kernel.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellOutcome;

/// Reads cells line by line and runs them, until the input ends or a cell says `%exit`.
///
/// A cell goes on over further lines while it is incomplete; an empty line ends it anyway. Without
/// a person (input from a file or a pipe) there are no prompts, and the first failure ends it.
public final class Console {
    private final CellEngine engine;
    private final BufferedReader in;
    private final PrintStream out;
    private final boolean person;
    private final AtomicBoolean dropped = new AtomicBoolean();
    private volatile boolean running;

    /// @param engine runs the cells; not closed here
    /// @param in where lines come from
    /// @param out where everything is shown
    /// @param person whether someone types
    public Console(CellEngine engine, BufferedReader in, PrintStream out, boolean person) {
        this.engine = engine;
        this.in = in;
        this.out = out;
        this.person = person;
    }

    /// Reads and runs to the end.
    ///
    /// @return 0, or 1 if a cell failed and nobody was there to go on
    /// @throws IOException if the input breaks
    public int run() throws IOException {
        for (var number = 1; ; number++) {
            var code = read(number);
            if (code == null) {
                say(person ? "\n" : "");
                return 0;
            }
            if (code.isBlank()) {
                number--;
                continue;
            }
            running = true;
            var output = new ConsoleOutput(in, out);
            var outcome = engine.cell(code, number, output).run();
            running = false;
            output.ended(outcome, number);
            if (outcome instanceof CellOutcome.Exit) {
                return 0;
            }
            if (outcome instanceof CellOutcome.Failed && !person) {
                return 1;
            }
        }
    }

    /// Ctrl-C: stops the running cell, or drops what is typed so far. Any thread.
    public void interrupt() {
        if (running) {
            engine.interrupt();
        } else {
            dropped.set(true);
            say("\n(dropped; Ctrl-D leaves)\n");
        }
    }

    private @Nullable String read(int number) throws IOException {
        var code = new StringBuilder();
        var prompt = "In [" + number + "]: ";
        dropped.set(false);
        say(person ? prompt : "");
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            if (dropped.getAndSet(false)) {
                code.setLength(0);
            }
            code.append(line);
            var open = engine.completeness(code.toString());
            if (line.isBlank() || !open.status().equals("incomplete")) {
                return code.toString();
            }
            code.append('\n');
            say(person ? "...: ".indent(prompt.length() - 5).stripTrailing() + " " : "");
        }
        return code.isEmpty() ? null : code.toString();
    }

    private void say(String text) {
        out.print(text);
        out.flush();
    }
}
