package org.meshbook.kernel.widgets.controls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.Redirect;
import org.meshbook.kernel.spi.DisplayData;

/// Output as a notebook keeps it (nbformat 4), bounded. Thread-safe.
final class Captured implements Redirect.Sink {
    private static final int MOST_CHARACTERS = 200_000;
    private static final int MOST_OUTPUTS = 200;
    private static final String TYPE = "output_type";

    private final Runnable changed;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Part> parts = new ArrayList<>();
    private boolean clearNext;

    /// A piece of output.
    private sealed interface Part {
        /// Bytes, because a character may come in two pieces.
        record Printed(String stream, ByteArrayOutputStream bytes) implements Part {}

        record Shown(DisplayData data) implements Part {}

        record Failed(String name, String message, List<String> trace) implements Part {}
    }

    Captured(Runnable changed) {
        this.changed = changed;
    }

    @Override
    public void write(boolean error, byte[] bytes, int offset, int length) {
        var stream = error ? "stderr" : "stdout";
        lock.lock();
        try {
            clearIfAsked();
            if (!parts.isEmpty()
                    && parts.getLast() instanceof Part.Printed(var last, var text)
                    && last.equals(stream)) {
                if (text.size() < MOST_CHARACTERS) {
                    text.write(bytes, offset, length);
                }
            } else {
                var text = new ByteArrayOutputStream();
                text.write(bytes, offset, length);
                add(new Part.Printed(stream, text));
            }
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    @Override
    public void display(DisplayData data) {
        shown(data);
    }

    @Override
    public void update(DisplayData data) {
        lock.lock();
        try {
            parts.replaceAll(
                    part ->
                            part instanceof Part.Shown(var old)
                                            && data.id().isPresent()
                                            && old.id().equals(data.id())
                                    ? new Part.Shown(data)
                                    : part);
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    @Override
    public void clear(boolean wait) {
        lock.lock();
        try {
            clearNext = wait;
            if (!wait) {
                parts.clear();
            }
        } finally {
            lock.unlock();
        }
        if (!wait) {
            changed.run();
        }
    }

    /// Adds a value; null adds nothing.
    void shown(@Nullable DisplayData data) {
        if (data == null) {
            return;
        }
        lock.lock();
        try {
            clearIfAsked();
            add(new Part.Shown(data));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    void failed(Throwable thrown, List<String> trace) {
        lock.lock();
        try {
            clearIfAsked();
            add(
                    new Part.Failed(
                            thrown.getClass().getSimpleName(),
                            String.valueOf(thrown.getMessage()),
                            trace));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /// Clears now what was to be cleared with the next output, because none came.
    void settle() {
        lock.lock();
        try {
            clearIfAsked();
        } finally {
            lock.unlock();
        }
    }

    private void add(Part part) {
        if (parts.size() >= MOST_OUTPUTS) {
            parts.removeFirst();
        }
        parts.add(part);
    }

    private void clearIfAsked() {
        if (clearNext) {
            parts.clear();
            clearNext = false;
        }
    }

    /// @return what a notebook would keep
    List<Map<String, Object>> outputs() {
        lock.lock();
        try {
            return parts.stream().map(Captured::node).toList();
        } finally {
            lock.unlock();
        }
    }

    private static Map<String, Object> node(Part part) {
        return switch (part) {
            case Part.Printed(var stream, var bytes) ->
                    Map.of(TYPE, "stream", "name", stream, "text", text(bytes));
            case Part.Shown(var data) ->
                    Map.of(
                            TYPE,
                            "display_data",
                            "data",
                            data.bundle(),
                            "metadata",
                            data.metadata());
            case Part.Failed(var name, var message, var trace) ->
                    Map.of(TYPE, "error", "ename", name, "evalue", message, "traceback", trace);
        };
    }

    private static String text(ByteArrayOutputStream bytes) {
        var text = bytes.toString(StandardCharsets.UTF_8);
        return bytes.size() < MOST_CHARACTERS ? text : text + "\n... more was printed\n";
    }

    /// @return all of it as text
    String text() {
        lock.lock();
        try {
            var text = new StringBuilder();
            for (var part : parts) {
                switch (part) {
                    case Part.Printed(_, var bytes) -> text.append(text(bytes));
                    case Part.Shown(var data) ->
                            text.append(data.bundle().get("text/plain")).append('\n');
                    case Part.Failed(_, _, var trace) ->
                            text.append(String.join("\n", trace)).append('\n');
                }
            }
            return text.toString();
        } finally {
            lock.unlock();
        }
    }
}
