package org.meshbook.cluster.nodes.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A command that runs beside a container, in its environment and its folder.
///
/// It ends with whoever asked for it; should this process be killed, a guard ends it within a
/// second.
public final class SideProcess implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(2);

    /// `$PPID` is this process all the time. A background command has no stdin unless it is told.
    private static final String GUARD =
            """
            exec 3<&0
            "$@" <&3 3<&- & child=$!
            exec 3<&- </dev/null
            ( while kill -0 $PPID && kill -0 $child; do sleep 1; done; kill -s KILL $child ) \\
                >/dev/null 2>&1 & guard=$!
            wait $child; code=$?
            kill -s KILL $guard
            exit $code
            """;

    private final Process process;

    private SideProcess(Process process) {
        this.process = process;
    }

    /// Starts a command.
    ///
    /// @param beside the container
    /// @param command program and arguments
    /// @return it, running
    /// @throws IOException if there is no such program; the text is a container runtime's
    public static SideProcess start(Launch beside, List<String> command) throws IOException {
        var missing = ProcessRuntime.missing(beside.with(command));
        if (missing.isPresent()) {
            throw new IOException(missing.get());
        }
        var all = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "meshbook-exec"));
        all.addAll(command);
        var builder = new ProcessBuilder(all).directory(beside.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(beside.environment());
        return new SideProcess(builder.start());
    }

    /// Passes bytes until it has ended.
    ///
    /// @param in what it reads
    /// @param out hears its stdout, on another thread
    /// @param err hears its stderr, on another thread
    /// @param within how long to wait
    /// @return its exit code; empty if it runs still
    /// @throws InterruptedException if the calling thread was interrupted
    public Optional<Integer> await(
            InputStream in, Consumer<byte[]> out, Consumer<byte[]> err, Optional<Duration> within)
            throws InterruptedException {
        var feeder = Thread.ofVirtual().name("meshbook-exec-in").start(() -> feed(in));
        var readers =
                List.of(
                        read(process.getInputStream(), out, "meshbook-exec-out"),
                        read(process.getErrorStream(), err, "meshbook-exec-err"));
        try {
            if (within.isEmpty()) {
                process.waitFor();
            } else if (!process.waitFor(within.get().toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
            for (var reader : readers) {
                // What it left in the background may keep its output open for ever.
                var unused = reader.join(REST);
            }
            return Optional.of(process.exitValue());
        } finally {
            feeder.interrupt();
        }
    }

    private void feed(InputStream in) {
        try (OutputStream to = process.getOutputStream()) {
            var buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                to.write(buffer, 0, n);
                to.flush();
            }
        } catch (IOException ended) {
            // It reads no more, or nobody writes.
        }
    }

    private static Thread read(InputStream from, Consumer<byte[]> hear, String name) {
        return Thread.ofVirtual()
                .name(name)
                .start(
                        () -> {
                            try (from) {
                                var buffer = new byte[8192];
                                for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                                    hear.accept(Arrays.copyOf(buffer, n));
                                }
                            } catch (IOException ended) {
                                // It was killed.
                            }
                        });
    }

    /// Kills it and what it started.
    @Override
    public void close() {
        Stream.concat(process.descendants().toList().stream(), Stream.of(process.toHandle()))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
