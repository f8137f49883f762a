package org.meshbook.cluster.nodes.kubelet;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.nodes.process.LogLine;

/// Reads the log of one start of a container while it grows, over the turn from a full file to the
/// next. Belongs to one thread.
final class LogReader implements Closeable {
    private final Path file;
    private final ArrayDeque<LogLine> ready = new ArrayDeque<>();
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[1 << 16];
    private @Nullable InputStream in;
    private @Nullable Object key;
    private @Nullable LogLine begun;

    /// @param file the log; what it had before it was full is read first
    LogReader(Path file) throws IOException {
        this.file = file;
        var older = file.resolveSibling(file.getFileName() + ".1");
        if (!open(older)) {
            var unused = open(file);
        }
    }

    /// @return the next line, its pieces put together; empty if there is none by now
    Optional<LogLine> next() throws IOException {
        while (ready.isEmpty()) {
            // Asked first: what stood in the old file by then is read before the new one.
            boolean turned = !Objects.equals(key, keyOf(file));
            if (!fill() && !(turned && open(file))) {
                return Optional.empty();
            }
        }
        return Optional.of(ready.removeFirst());
    }

    private boolean fill() throws IOException {
        var from = in;
        int count = from == null ? -1 : from.read(buffer);
        for (int i = 0; i < count; i++) {
            if (buffer[i] != '\n') {
                rest.write(buffer[i]);
                continue;
            }
            add(LogLine.parse(rest.toString(StandardCharsets.UTF_8)));
            rest.reset();
        }
        return count > 0;
    }

    private void add(LogLine piece) {
        var before = begun;
        var line =
                before == null
                        ? piece
                        : new LogLine(before.time(), piece.whole(), before.text() + piece.text());
        begun = line.whole() ? null : line;
        if (line.whole()) {
            ready.add(line);
        }
    }

    private boolean open(Path path) throws IOException {
        try {
            var fresh = Files.newInputStream(path);
            close();
            in = fresh;
            key = keyOf(path);
            return true;
        } catch (NoSuchFileException none) {
            return false;
        }
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException none) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        var open = in;
        if (open != null) {
            open.close();
        }
    }
}
