package org.meshbook.elastic.checkpoint.tier.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// Who writes a checkpoint that is not committed yet, so that others can tell what is left behind
/// from what is being written.
///
/// @param machine name of the client's machine
/// @param pid of the client's process
/// @param started when that process started, in milliseconds since 1970; process ids come again
/// @param attempt which save it is
public record Writer(String machine, long pid, long started, String attempt) {
    /// How long what another machine left is taken for alive.
    private static final Duration FAR_AWAY = Duration.ofHours(24);

    /// @param attempt which save it is
    /// @return this process
    public static Writer here(String attempt) {
        var self = ProcessHandle.current();
        return new Writer(machineName(), self.pid(), started(self), attempt);
    }

    /// @return the text of the file that says so
    public byte[] text() {
        return "%s %d %d %s\n".formatted(machine, pid, started, attempt).getBytes(UTF_8);
    }

    /// @param text of such a file
    /// @return who it was, if it can be read
    public static Optional<Writer> parse(byte[] text) {
        var words = new String(text, UTF_8).strip().split(" ", -1);
        try {
            return words.length == 4
                    ? Optional.of(
                            new Writer(
                                    words[0],
                                    Long.parseLong(words[1]),
                                    Long.parseLong(words[2]),
                                    words[3]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /// @param asking who asks
    /// @param live attempts that the asking process is still writing
    /// @param touched when the last byte was written
    /// @param now time
    /// @return whether nobody is going to commit it any more
    public boolean dead(Writer asking, Set<String> live, Instant touched, Instant now) {
        if (!machine.equals(asking.machine)) {
            return touched.plus(FAR_AWAY).isBefore(now);
        }
        if (pid == asking.pid && started == asking.started) {
            return !live.contains(attempt);
        }
        var process = ProcessHandle.of(pid);
        return process.isEmpty() || started(process.get()) != started;
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String machineName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().replace(' ', '_');
        } catch (IOException e) {
            return System.getenv().getOrDefault("HOSTNAME", "localhost").replace(' ', '_');
        }
    }
}
