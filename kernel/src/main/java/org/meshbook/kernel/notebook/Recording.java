package org.meshbook.kernel.notebook;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.spi.DisplayData;
import tools.jackson.databind.node.ArrayNode;

/// One cell's output: kept for the file, and shown on the terminal as it comes.
final class Recording implements CellOutput {
    private final Displays displays;
    private final Transcript transcript;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Output> outputs = new ArrayList<>();
    private boolean clearNext;

    Recording(Displays displays, Transcript transcript) {
        this.displays = displays;
        this.transcript = transcript;
    }

    @Override
    public void write(Stream stream, String text) {
        lock.lock();
        try {
            clearIfAsked();
            if (!outputs.isEmpty()
                    && outputs.getLast() instanceof Output.Printed printed
                    && printed.stream() == stream) {
                printed.text().append(text);
            } else {
                outputs.add(new Output.Printed(stream, new StringBuilder(text)));
            }
        } finally {
            lock.unlock();
        }
        transcript.printed(text, stream == Stream.STDERR);
    }

    @Override
    public void display(DisplayData data) {
        show(new Output.Shown(data, 0));
    }

    @Override
    public void update(DisplayData data) {
        data.id().ifPresent(id -> displays.update(id, data));
        transcript.updated(data);
    }

    @Override
    public void clear(boolean wait) {
        lock.lock();
        try {
            clearNext = true;
            if (!wait) {
                clearIfAsked();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException {
        throw new IOException(
                "a run has nobody to ask '" + prompt.strip() + "'; give the value in the cell");
    }

    /// Adds how the cell ended.
    void ended(CellOutcome outcome, int count) {
        switch (outcome) {
            case CellOutcome.Done(var result) ->
                    result.ifPresent(data -> show(new Output.Shown(data, count)));
            case CellOutcome.Failed failed -> {
                lock.lock();
                try {
                    clearIfAsked();
                    outputs.add(new Output.Failure(failed));
                } finally {
                    lock.unlock();
                }
                transcript.failed(failed);
            }
            case CellOutcome.Exit _ -> {}
        }
    }

    /// @return outputs in nbformat's shape
    ArrayNode nodes() {
        lock.lock();
        try {
            return Output.nodes(outputs);
        } finally {
            lock.unlock();
        }
    }

    /// @return all outputs as text
    String text() {
        lock.lock();
        try {
            var text = new StringBuilder();
            for (var output : outputs) {
                if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
                    text.append('\n');
                }
                text.append(output.plain());
            }
            return text.toString();
        } finally {
            lock.unlock();
        }
    }

    private void show(Output.Shown shown) {
        lock.lock();
        try {
            clearIfAsked();
            outputs.add(shown);
        } finally {
            lock.unlock();
        }
        displays.add(shown);
        transcript.shown(shown.data());
    }

    private void clearIfAsked() {
        if (clearNext) {
            outputs.clear();
            clearNext = false;
            transcript.cleared();
        }
    }
}
