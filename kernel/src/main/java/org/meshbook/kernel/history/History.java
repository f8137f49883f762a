package org.meshbook.kernel.history;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Cells of all sessions, kept for later ones. Thread-safe; what is written is written by a thread
/// of its own, so that no cell waits for a disk. A disk that fails costs the history, never a cell.
public final class History implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(History.class.getName());
    private static final Duration LAST_WORDS = Duration.ofMillis(500);
    private static final String SETTING = "MESHBOOK_HISTORY";
    private static final String OFF = "off";

    private final @Nullable HistoryFile file;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("meshbook-history").factory());
    private boolean complained;

    private History(@Nullable HistoryFile file) {
        this.file = file;
    }

    /// @return one that forgets at its end
    public static History none() {
        return new History(null);
    }

    /// @param folder where the file is or will be
    /// @return one that keeps
    public static History in(Path folder) {
        return new History(new HistoryFile(folder));
    }

    /// @return the user's, unless the user has switched it off
    public static History ofUser() {
        var setting =
                Optional.ofNullable(System.getProperty("meshbook.history"))
                        .or(() -> Optional.ofNullable(System.getenv(SETTING)))
                        .filter(value -> !value.isBlank());
        if (setting.isEmpty()) {
            var home = Path.of(System.getProperty("user.home"));
            return in(folder(System.getProperty("os.name"), home, System.getenv()));
        }
        return setting.get().equalsIgnoreCase(OFF) ? none() : in(Path.of(setting.get()));
    }

    /// @param system name of the operating system
    /// @param home the user's folder
    /// @param environment of the process
    /// @return where the user's state is kept
    static Path folder(String system, Path home, Map<String, String> environment) {
        var named = system.toLowerCase(Locale.ROOT);
        var state = environment.getOrDefault("XDG_STATE_HOME", "");
        if (Path.of(state).isAbsolute()) {
            return Path.of(state, "meshbook");
        }
        if (named.startsWith("windows")) {
            var local = environment.get("LOCALAPPDATA");
            return (local == null ? home.resolve("AppData").resolve("Local") : Path.of(local))
                    .resolve("meshbook");
        }
        if (named.startsWith("mac")) {
            return home.resolve("Library").resolve("Application Support").resolve("meshbook");
        }
        return home.resolve(".local").resolve("state").resolve("meshbook");
    }

    /// @return a new session; it gets its number when its first cell is written
    public HistorySession begin() {
        return new HistorySession(this);
    }

    /// Waits half a second at most for what is still to be written.
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(WARNING, "history: last cells were not written after={0}", LAST_WORDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return whether something is left after the process
    boolean keeps() {
        return file != null;
    }

    /// @return cells of all sessions on disk, in the order of session and line
    List<Entry> read() {
        if (file == null) {
            return List.of();
        }
        try {
            return file.read();
        } catch (IOException e) {
            complain(e);
            return List.of();
        }
    }

    void write(Writing writing) {
        if (file == null || writer.isShutdown()) {
            return;
        }
        var to = file;
        writer.execute(
                () -> {
                    try {
                        writing.write(to);
                    } catch (IOException | RuntimeException e) {
                        complain(e);
                    }
                });
    }

    /// Returns when everything that was given before is written, after a second at the latest.
    void settle() {
        if (file == null || writer.isShutdown()) {
            return;
        }
        try {
            var unused = writer.submit(() -> {}).get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException
                | java.util.concurrent.RejectedExecutionException e) {
            complain(e);
        }
    }

    private synchronized void complain(Exception why) {
        if (!complained) {
            complained = true;
            LOG.log(WARNING, "history: not kept: {0}", why.toString());
        }
    }

    /// Something to write.
    @FunctionalInterface
    interface Writing {
        void write(HistoryFile file) throws IOException;
    }
}
