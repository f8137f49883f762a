package org.meshbook.kernel.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.spi.DisplayData;

/// One cell's output on the console, as it comes.
final class ConsoleOutput implements CellOutput {
    private final BufferedReader in;
    private final PrintStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean lineStart = true;

    ConsoleOutput(BufferedReader in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    @Override
    public void write(Stream stream, String text) {
        lock.lock();
        try {
            out.print(text);
            out.flush();
            lineStart = text.isEmpty() ? lineStart : text.endsWith("\n");
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void display(DisplayData data) {
        paragraph(text(data));
    }

    @Override
    public void update(DisplayData data) {
        paragraph(text(data));
    }

    @Override
    public void clear(boolean wait) {
        // What is printed stays: a terminal scrolls.
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
        write(Stream.STDOUT, prompt);
        var line = in.readLine();
        if (line == null) {
            throw new IOException("the input has ended");
        }
        return line;
    }

    void ended(CellOutcome outcome, int number) {
        switch (outcome) {
            case CellOutcome.Done(var result) ->
                    result.ifPresent(data -> paragraph("Out[" + number + "]: " + text(data)));
            case CellOutcome.Failed(var name, var message, var trace) ->
                    paragraph(trace.isEmpty() ? name + ": " + message : String.join("\n", trace));
            case CellOutcome.Exit _ -> {}
        }
    }

    private void paragraph(String text) {
        lock.lock();
        try {
            write(Stream.STDOUT, (lineStart ? "" : "\n") + text.stripTrailing() + "\n");
        } finally {
            lock.unlock();
        }
    }

    private static String text(DisplayData data) {
        return data.bundle().get("text/plain") instanceof String plain
                ? plain
                : data.bundle().keySet().toString();
    }
}
