package org.meshbook.kernel.console;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.spi.DisplayData;

/// One cell's output on the console, as it comes.
final class ConsoleOutput implements CellOutput {
    private final Front front;
    private final Pictures pictures;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean lineStart = true;

    ConsoleOutput(Front front, Pictures pictures) {
        this.front = front;
        this.pictures = pictures;
    }

    @Override
    public void write(Stream stream, String text) {
        lock.lock();
        try {
            front.print(text);
            lineStart = text.isEmpty() ? lineStart : text.endsWith("\n");
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void display(DisplayData data) {
        paragraph(pictures.text(data));
    }

    @Override
    public void update(DisplayData data) {
        paragraph(pictures.text(data));
    }

    @Override
    public boolean replaces() {
        return false;
    }

    @Override
    public void clear(boolean wait) {
        // What is printed stays: a terminal scrolls.
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException, InterruptedException {
        return front.ask(prompt, password);
    }

    /// @return the result's text
    Optional<String> ended(CellOutcome outcome, int number) {
        return switch (outcome) {
            case CellOutcome.Done(var result) -> {
                result.ifPresent(data -> paragraph(result(number, pictures.text(data))));
                yield result.map(Pictures::plain);
            }
            case CellOutcome.Failed(var name, var message, var trace) -> {
                paragraph(failure(trace.isEmpty() ? List.of(name + ": " + message) : trace));
                yield Optional.empty();
            }
            case CellOutcome.Exit _ -> Optional.empty();
        };
    }

    /// What has several lines begins on one of its own, so that its columns stand.
    private String result(int number, String text) {
        var prompt = front.looks().result("Out[" + number + "]:");
        return prompt + (text.contains("\n") ? "\n" : " ") + text;
    }

    private String failure(List<String> trace) {
        var text = front.looks().shown(String.join("\n", trace));
        if (text.indexOf('\u001b') >= 0) {
            return text;
        }
        var first = text.lines().findFirst().orElse("");
        return front.looks().failure(first) + text.substring(first.length());
    }

    private void paragraph(String text) {
        lock.lock();
        try {
            write(Stream.STDOUT, (lineStart ? "" : "\n") + text.stripTrailing() + "\n");
        } finally {
            lock.unlock();
        }
    }
}
