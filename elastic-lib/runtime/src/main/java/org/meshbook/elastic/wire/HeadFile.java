package org.meshbook.elastic.wire;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/// What a head writes down for its clients: who it is, where it listens, and its token.
///
/// Lines of `key=value`; the token lies in the same file as the port, so that nobody can read the
/// one of an old head with the other of a new one. Mode 0600, replaced by an atomic rename.
///
/// @param pid process id
/// @param startedMillis when the process started, in milliseconds of the epoch, as the system says;
///   with the pid it names one process for ever; 0 if unknown
/// @param port port on the loopback interface
/// @param protocol see [HeadMethods#PROTOCOL]
/// @param token what callers must show
public record HeadFile(long pid, long startedMillis, int port, String protocol, String token) {
    private static final long CLOCK_CORRECTION_MILLIS = 5000;

    /// @param folder where
    /// @throws IOException if it cannot be written
    public void write(RuntimeFolder folder) throws IOException {
        var text =
                """
                pid=%d
                started=%d
                port=%d
                version=%s
                token=%s
                """
                        .formatted(pid, startedMillis, port, protocol, token);
        PrivateFile.write(folder, RuntimeFolder.STATE, text);
    }

    /// @param folder where
    /// @return the head that lives there; empty if none does
    public static Optional<HeadFile> find(RuntimeFolder folder) {
        return folder.held() ? read(folder.state()) : Optional.empty();
    }

    /// @return the process, if it is alive
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isIt);
    }

    @Override
    public String toString() {
        return "head pid=" + pid + " port=" + port;
    }

    /// The system's start times of one process, read by two, may differ by a clock's correction.
    private boolean isIt(ProcessHandle handle) {
        return startedMillis == 0
                || Math.abs(started(handle) - startedMillis) < CLOCK_CORRECTION_MILLIS;
    }

    /// @param handle a process
    /// @return when it started, in milliseconds of the epoch; 0 if unknown
    public static long started(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static Optional<HeadFile> read(Path file) {
        try {
            var facts = new Properties();
            facts.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
            return Optional.of(
                    new HeadFile(
                            Long.parseLong(facts.getProperty("pid", "")),
                            Long.parseLong(facts.getProperty("started", "0")),
                            Integer.parseInt(facts.getProperty("port", "")),
                            facts.getProperty("version", ""),
                            facts.getProperty("token", "")));
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        }
    }
}
