package org.meshbook.cluster.nodes.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Starts containers as processes of this machine.
///
/// Each has a guard, a few lines of shell, as its parent. The guard gives the program a process
/// group of its own, passes SIGTERM on to all of the group, and reads a pipe from this process: at
/// the pipe's end, in whatever way this process died, it kills the group. It also kills what the
/// program leaves behind. SIGKILL is the closing of that pipe. (A shell's `wait` that a signal ends
/// says 143 though the program may have said something else; the second `wait` asks again.)
///
/// The guard's pid and start are kept in a file beside the log, so that the next runtime over the
/// same folder waits for the last one's processes to be gone before it starts any.
public final class ProcessRuntime implements ContainerRuntime {
    private static final System.Logger LOG = System.getLogger(ProcessRuntime.class.getName());
    private static final long LOG_BYTES = 10 << 20;
    private static final Duration REST_OF_LOG = Duration.ofMillis(500);
    private static final long OLD_PROCESSES_SECONDS = 5;
    private static final String PID = ".pid";

    private static final String GUARD =
            """
            exec 3<&0 4>&2 </dev/null 2>/dev/null
            child=; asked=
            send() { kill -s $1 -- -$child || kill -s $1 $child; }
            trap 'if [ -n "$child" ]; then send TERM; else asked=1; fi' TERM
            if command -v setsid >/dev/null; then setsid -- "$@" 2>&4 3<&- 4>&- & child=$!
            else set -m; "$@" 2>&4 3<&- 4>&- & child=$!; set +m; fi
            exec 4>&-
            ( trap '' TERM; while read -r _ <&3; do :; done; send KILL ) >/dev/null & guard=$!
            [ -z "$asked" ] || send TERM
            while :; do wait $child; code=$?; kill -0 $child || break; done
            wait $child; last=$?; [ $last = 127 ] || code=$last
            kill -s KILL $guard; kill -s KILL -- -$child
            exit $code
            """;

    private final InstantSource clock;
    private final Set<Started> alive = ConcurrentHashMap.newKeySet();

    /// @param clock wall time
    /// @param root where logs of an earlier runtime may lie; its processes are ended
    public ProcessRuntime(InstantSource clock, Path root) {
        this.clock = clock;
        sweep(root);
    }

    @Override
    public Running start(Launch launch, Runnable ended) {
        var missing = missing(launch);
        if (missing.isPresent()) {
            return new Stillborn(Exit.notStarted(missing.get(), clock.instant()));
        }
        try {
            return begin(launch, ended);
        } catch (IOException e) {
            return new Stillborn(Exit.notStarted(e.toString(), clock.instant()));
        }
    }

    @Override
    public void close() {
        alive.forEach(Started::kill);
        alive.forEach(Started::await);
    }

    private Running begin(Launch launch, Runnable ended) throws IOException {
        var command = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "meshbook-pod"));
        command.addAll(launch.command());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(launch.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(launch.environment());
        long outOfMemory = outOfMemoryKills();
        var started = new Started(builder.start(), outOfMemory);
        alive.add(started);
        remember(launch, started.process);
        var name = launch.pod().path() + " " + launch.container();
        var pump =
                Thread.ofPlatform()
                        .daemon()
                        .name("meshbook-pod-log " + name)
                        .start(() -> started.pump(launch.log(), clock));
        Thread.ofVirtual()
                .name("meshbook-pod-wait " + name)
                .start(() -> awaitEnd(started, pump, launch, ended));
        return started;
    }

    private void awaitEnd(Started started, Thread pump, Launch launch, Runnable ended) {
        try {
            int code = started.process.waitFor();
            pump.join(REST_OF_LOG);
            started.ended(code, clock.instant());
            alive.remove(started);
            Files.deleteIfExists(pidFile(launch.log()));
            ended.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "cannot delete a pid file", e);
            ended.run();
        }
    }

    /// A shell would only say 127; people search for the words of the container runtime.
    static Optional<String> missing(Launch launch) {
        if (launch.command().isEmpty()) {
            return Optional.of("no command specified");
        }
        var program = launch.command().getFirst();
        if (program.contains("/")) {
            var path = launch.folder().resolve(program);
            if (!Files.exists(path)) {
                return Optional.of(
                        "exec: \"%s\": stat %s: no such file or directory"
                                .formatted(program, program));
            }
            return Files.isExecutable(path) && !Files.isDirectory(path)
                    ? Optional.empty()
                    : Optional.of("exec: \"%s\": permission denied".formatted(program));
        }
        return Pattern.compile(":")
                        .splitAsStream(launch.environment().getOrDefault("PATH", ""))
                        .map(folder -> Path.of(folder).resolve(program))
                        .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                ? Optional.empty()
                : Optional.of(
                        "exec: \"%s\": executable file not found in $PATH".formatted(program));
    }

    private static void remember(Launch launch, Process process) {
        try {
            var start = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
            Files.createDirectories(launch.log().getParent());
            Files.writeString(pidFile(launch.log()), process.pid() + " " + start);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "pod={0} cannot keep its pid: {1}", launch.pod(), e);
        }
    }

    private static Path pidFile(Path log) {
        return log.resolveSibling(log.getFileName() + PID);
    }

    /// Their guards end them by themselves; this waits, so that no pod runs twice.
    private static void sweep(Path root) {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (var files = Files.walk(root)) {
            files.filter(f -> f.getFileName().toString().endsWith(PID))
                    .forEach(ProcessRuntime::endOld);
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.WARNING, "cannot look for processes of an earlier cluster", e);
        }
    }

    private static void endOld(Path file) {
        try {
            var words = Files.readString(file).strip().split(" ");
            long start = Long.parseLong(words[1]);
            ProcessHandle.of(Long.parseLong(words[0]))
                    .filter(p -> sameStart(p, start))
                    .ifPresent(ProcessRuntime::awaitOld);
            Files.deleteIfExists(file);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            LOG.log(Level.WARNING, "cannot read " + file, e);
        }
    }

    /// A pid alone may be somebody else's by now.
    private static boolean sameStart(ProcessHandle process, long start) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L) == start;
    }

    private static void awaitOld(ProcessHandle guard) {
        try {
            guard.onExit().get(OLD_PROCESSES_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            Stream.concat(guard.descendants().toList().stream(), Stream.of(guard))
                    .forEach(ProcessHandle::destroyForcibly);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return how many processes Linux has killed for want of memory; -1 where nobody counts
    private static long outOfMemoryKills() {
        try (var lines = Files.lines(Path.of("/proc/vmstat"))) {
            return lines.filter(l -> l.startsWith("oom_kill "))
                    .mapToLong(l -> Long.parseLong(l.substring("oom_kill ".length())))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | UncheckedIOException | NumberFormatException notLinux) {
            return -1;
        }
    }

    private record Stillborn(Exit end) implements Running {
        @Override
        public Optional<Exit> exit() {
            return Optional.of(end);
        }

        @Override
        public Optional<Instant> due() {
            return Optional.empty();
        }

        @Override
        public void terminate() {}

        @Override
        public void kill() {}
    }

    private static final class Started implements Running {
        private final Process process;
        private final long outOfMemory;
        private volatile boolean killed;
        private volatile @Nullable Exit exit;

        Started(Process process, long outOfMemory) {
            this.process = process;
            this.outOfMemory = outOfMemory;
        }

        void pump(Path log, InstantSource clock) {
            try (var kept = new RotatedLog(log, LOG_BYTES, clock);
                    var in = process.getInputStream()) {
                kept.copy(in);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "log of pid " + process.pid() + " ended", e);
            }
        }

        void ended(int code, Instant at) {
            boolean starved = code == Exit.KILLED && !killed && outOfMemoryKills() > outOfMemory;
            exit = starved ? new Exit(code, "OOMKilled", "", at) : Exit.of(code, at);
        }

        void await() {
            try {
                process.waitFor(OLD_PROCESSES_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public Optional<Exit> exit() {
            return Optional.ofNullable(exit);
        }

        @Override
        public Optional<Instant> due() {
            return Optional.empty();
        }

        /// By its handle: `Process.destroy` closes the pipes too, and that would be SIGKILL.
        @Override
        public void terminate() {
            process.toHandle().destroy();
        }

        @Override
        public void kill() {
            killed = true;
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                process.destroyForcibly();
            }
        }
    }
}
