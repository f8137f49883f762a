package org.meshbook.elastic.engine.xla;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.meshbook.elastic.graph.Fingerprint;

/// Compiled programs on this user's disk, so that the next process need not compile them.
///
/// One file a program: SHA-256 of what follows, then what XLA saved. Its name is the fingerprint of
/// all that the program depends on: plugin, processor, threads and module. Files appear whole;
/// those used longest ago go when all together are too large. Nothing here can fail a computation:
/// what cannot be read or written is compiled. Thread-safe, also between processes.
final class ExecutableCache {
    /// Names another folder; `off` keeps nothing.
    static final String VARIABLE = "MESHBOOK_XLA_CACHE";

    private static final System.Logger LOG = System.getLogger(ExecutableCache.class.getName());
    private static final String OFF = "off";
    private static final String ENDING = ".xla";
    private static final long MOST_BYTES = 256L << 20;
    private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

    private final Path folder;
    private final long most;
    private final InstantSource clock;

    /// @param most bytes of all files together
    ExecutableCache(Path folder, long most, InstantSource clock) {
        this.folder = folder;
        this.most = most;
        this.clock = clock;
    }

    /// @return the user's cache; empty if it is off
    static Optional<ExecutableCache> of(Map<String, String> environment) {
        var named = environment.getOrDefault(VARIABLE, "");
        if (named.equals(OFF)) {
            return Optional.empty();
        }
        var folder =
                named.isBlank()
                        ? Plugin.home(environment, "XDG_CACHE_HOME", ".cache").resolve("xla")
                        : Path.of(named);
        return Optional.of(new ExecutableCache(folder, MOST_BYTES, InstantSource.system()));
    }

    /// @param client that compiles
    /// @param threads of the client
    /// @param module StableHLO text
    /// @return name of the compiled program
    static String key(Client client, int threads, String module) {
        return Fingerprint.of(
                client.plugin().identity(),
                client.api().version(),
                processor(),
                Integer.toString(threads),
                module);
    }

    private static String processor() {
        try (var lines = Files.lines(PROCESSOR)) {
            return lines.takeWhile(line -> !line.isBlank())
                    .filter(line -> line.startsWith("model name") || line.startsWith("flags"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return System.getProperty("os.arch", "");
        }
    }

    /// @return what was kept under a key, if it is whole
    Optional<byte[]> read(String key) {
        var file = file(key);
        try {
            var bytes = Files.readAllBytes(file);
            int start = digest().getDigestLength();
            if (bytes.length > start) {
                var saved = Arrays.copyOfRange(bytes, start, bytes.length);
                if (Arrays.equals(digest().digest(saved), Arrays.copyOf(bytes, start))) {
                    Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
                    return Optional.of(saved);
                }
            }
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no compiled program in " + file, e);
        }
        return Optional.empty();
    }

    /// Keeps a compiled program.
    void write(String key, byte[] saved) {
        try {
            var all = PosixFilePermissions.fromString("rwx------");
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(all));
            var fresh = Files.createTempFile(folder, key, ".new");
            try (var out = Files.newOutputStream(fresh)) {
                out.write(digest().digest(saved));
                out.write(saved);
            }
            Files.setLastModifiedTime(fresh, FileTime.from(clock.instant()));
            Files.move(fresh, file(key), StandardCopyOption.ATOMIC_MOVE);
            prune();
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(Level.DEBUG, "cannot keep a compiled program in " + folder, e);
        }
    }

    private void prune() throws IOException {
        record Kept(Path file, long bytes, FileTime used) {}
        try (var files = Files.list(folder)) {
            var kept =
                    files.map(
                                    file ->
                                            new Kept(
                                                    file,
                                                    file.toFile().length(),
                                                    FileTime.fromMillis(
                                                            file.toFile().lastModified())))
                            .sorted(Comparator.comparing(Kept::used).reversed())
                            .toList();
            long sum = 0;
            for (var one : kept) {
                sum += one.bytes();
                if (sum > most) {
                    Files.deleteIfExists(one.file());
                }
            }
        }
    }

    private Path file(String key) {
        return folder.resolve(key + ENDING);
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
