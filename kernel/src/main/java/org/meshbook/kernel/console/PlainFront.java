package org.meshbook.kernel.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;

/// Reads line by line, from a pipe, a file, or a terminal that cannot move its cursor.
///
/// A cell goes on over further lines while it is incomplete; an empty line ends it anyway. Without
/// a person there are no prompts.
public final class PlainFront implements Front {
    private final CellEngine engine;
    private final BufferedReader in;
    private final PrintStream out;
    private final Looks looks;
    private final AtomicBoolean dropped = new AtomicBoolean();

    /// @param engine says whether a cell is complete
    /// @param in where lines come from
    /// @param out where everything is shown
    /// @param looks whether someone types
    public PlainFront(CellEngine engine, BufferedReader in, PrintStream out, Looks looks) {
        this.engine = engine;
        this.in = in;
        this.out = out;
        this.looks = looks;
    }

    @Override
    public @Nullable String read(int number) throws IOException {
        var code = new StringBuilder();
        var prompt = "In [" + number + "]: ";
        dropped.set(false);
        prompt(prompt);
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            if (dropped.getAndSet(false)) {
                code.setLength(0);
            }
            code.append(line);
            var open = engine.completeness(code.toString());
            if (line.isBlank() || !open.status().equals("incomplete")) {
                // Said to be dropped while it was looked at: it is.
                return dropped.getAndSet(false) ? "" : code.toString();
            }
            code.append('\n');
            prompt("...: ".indent(prompt.length() - 5).stripTrailing() + " ");
        }
        prompt("\n");
        return code.isEmpty() ? null : code.toString();
    }

    private void prompt(String text) {
        if (looks.person()) {
            print(text);
        }
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException {
        var console = System.console();
        if (password && console != null && console.isTerminal()) {
            var secret = console.readPassword("%s", prompt);
            if (secret != null) {
                return new String(secret);
            }
            throw new IOException("the input has ended");
        }
        print(prompt);
        var line = in.readLine();
        if (line == null) {
            throw new IOException("the input has ended");
        }
        return line;
    }

    @Override
    public void print(String text) {
        out.print(text);
        out.flush();
    }

    @Override
    public void drop() {
        dropped.set(true);
        print("\n(dropped; Ctrl-D leaves)\n");
    }

    @Override
    public Looks looks() {
        return looks;
    }

    @Override
    public void close() {
        out.flush();
    }
}
