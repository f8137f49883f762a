package org.meshbook.kernel.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The file of all sessions; its format is in the package documentation. Several processes may use
/// it at once. Thread-safe.
final class HistoryFile {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final long LARGEST_BYTES = 8L << 20;
    private static final int LARGEST_SOURCE = 256 << 10;
    private static final int LARGEST_OUTPUT = 10_000;

    /// A lock on a file holds against other processes only.
    private static final ReentrantLock PROCESS = new ReentrantLock();

    private final Path folder;
    private final Path file;
    private final long largestBytes;
    private SoftReference<@Nullable Read> cached = new SoftReference<>(null);

    /// What was read, and of which state of the file.
    private record Read(long size, Instant modified, int highest, List<Entry> entries) {}

    HistoryFile(Path folder) {
        this(folder, LARGEST_BYTES);
    }

    HistoryFile(Path folder, long largestBytes) {
        this.folder = folder;
        this.file = folder.resolve("history.jsonl");
        this.largestBytes = largestBytes;
    }

    /// @return number of a new session
    int begin() throws IOException {
        return locked(
                counter -> {
                    var number = Math.max(last(counter), 0) + 1;
                    var text = ByteBuffer.wrap(Integer.toString(number).getBytes(UTF_8));
                    counter.truncate(0);
                    var unused = counter.write(text, 0);
                    return number;
                });
    }

    /// @return number of the last session, from the lock's file, else from the history
    private int last(FileChannel counter) throws IOException {
        var text = ByteBuffer.allocate(20);
        var count = counter.read(text, 0);
        try {
            return Integer.parseInt(new String(text.array(), 0, Math.max(0, count), UTF_8));
        } catch (NumberFormatException e) {
            return state().highest();
        }
    }

    void add(int session, int line, String source) throws IOException {
        if (source.length() > LARGEST_SOURCE) {
            return;
        }
        var at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        append(node(session, line).put("at", at).put("in", source));
    }

    void output(int session, int line, String text) throws IOException {
        var kept = text.length() > LARGEST_OUTPUT ? text.substring(0, LARGEST_OUTPUT) : text;
        append(node(session, line).put("out", kept));
    }

    /// @return cells in the order of session and line
    List<Entry> read() throws IOException {
        return state().entries();
    }

    private static ObjectNode node(int session, int line) {
        return JSON.createObjectNode().put("session", session).put("line", line);
    }

    private void append(JsonNode line) throws IOException {
        var bytes = (JSON.writeValueAsString(line) + "\n").getBytes(UTF_8);
        var unused =
                locked(
                        _ -> {
                            if (Files.notExists(file)) {
                                create(file, 0);
                            } else if (Files.size(file) + bytes.length > largestBytes) {
                                shrink();
                            }
                            write(bytes);
                            return line;
                        });
    }

    private void write(byte[] bytes) throws IOException {
        try (var channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var size = channel.size();
            var last = ByteBuffer.allocate(1);
            var torn = size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n';
            channel.position(size);
            // What a killed process left without an end must not swallow this line.
            var line = ByteBuffer.allocate(bytes.length + 1);
            if (torn) {
                line.put((byte) '\n');
            }
            line.put(bytes).flip();
            while (line.hasRemaining()) {
                var unused = channel.write(line);
            }
        }
    }

    private void create(Path fresh, int dropped) throws IOException {
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, onlyOwner("rw-------"));
        var head =
                JSON.createObjectNode()
                        .put("format", "meshbook-history")
                        .put("version", 1)
                        .put("dropped", dropped);
        Files.writeString(fresh, JSON.writeValueAsString(head) + "\n", UTF_8);
    }

    /// Keeps the newer half.
    private void shrink() throws IOException {
        var lines = Files.readString(file, UTF_8).lines().toList();
        var from = lines.size();
        for (var kept = 0L; from > 1; from--) {
            kept += lines.get(from - 1).length();
            if (kept > largestBytes / 2) {
                break;
            }
        }
        var dropped = 0;
        for (var line : lines.subList(0, from)) {
            var node = parse(line);
            dropped = Math.max(dropped, node.path("dropped").asInt(0));
            dropped = Math.max(dropped, node.path("session").asInt(0));
        }
        var fresh = folder.resolve("history.new");
        create(fresh, dropped);
        Files.write(fresh, lines.subList(from, lines.size()), UTF_8, StandardOpenOption.APPEND);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private synchronized Read state() throws IOException {
        try {
            var size = Files.size(file);
            var modified = Files.getLastModifiedTime(file).toInstant();
            var known = cached.get();
            if (known == null || known.size() != size || !known.modified().equals(modified)) {
                known = read(size, modified);
                cached = new SoftReference<>(known);
            }
            return known;
        } catch (NoSuchFileException e) {
            return new Read(0, Instant.EPOCH, 0, List.of());
        }
    }

    private Read read(long size, Instant modified) throws IOException {
        var highest = 0;
        var entries = new TreeMap<Long, Entry>();
        for (var line : new String(Files.readAllBytes(file), UTF_8).lines().toList()) {
            var node = parse(line);
            var session = node.path("session").asInt(0);
            var number = node.path("line").asInt(0);
            highest = Math.max(highest, Math.max(session, node.path("dropped").asInt(0)));
            var key = ((long) session << 32) + number;
            var source = node.path("in").stringValue(null);
            var output = node.path("out").stringValue(null);
            if (session > 0 && source != null) {
                entries.put(key, new Entry(session, number, source, Optional.empty()));
            } else if (output != null) {
                entries.computeIfPresent(
                        key,
                        (_, entry) ->
                                new Entry(session, number, entry.source(), Optional.of(output)));
            }
        }
        return new Read(size, modified, highest, List.copyOf(new ArrayList<>(entries.values())));
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        }
    }

    private <T> T locked(Action<T> action) throws IOException {
        PROCESS.lock();
        try {
            Files.createDirectories(folder, onlyOwner("rwx------"));
            try (var channel =
                            FileChannel.open(
                                    folder.resolve("history.lock"),
                                    Set.of(
                                            StandardOpenOption.CREATE,
                                            StandardOpenOption.READ,
                                            StandardOpenOption.WRITE),
                                    onlyOwner("rw-------"));
                    var unused = channel.lock()) {
                return action.run(channel);
            }
        } finally {
            PROCESS.unlock();
        }
    }

    private FileAttribute<?>[] onlyOwner(String permissions) {
        var posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private interface Action<T> {
        T run(FileChannel counter) throws IOException;
    }
}
