package org.meshbook.elastic.head;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.meshbook.elastic.slices.supply.WorkerProgram;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.proto.WorkerAssignment;

/// Starts worker processes and hears of their ends.
///
/// The pipe to a worker's standard input carries its assignment and then stays open: when the head
/// dies in whatever way, the worker reads its end. All are started by one thread that lives as long
/// as the head, because Linux tells a worker of the death of the thread that started it.
///
/// A standby is a process that was started ahead: it waits for its assignment, and whoever gets one
/// saves the time of its start. Thread-safe.
final class Starter {
    private static final System.Logger LOG = System.getLogger(Starter.class.getName());
    private static final String MAIN = "org.meshbook.elastic.worker.WorkerMain";
    private static final String POD = "pod";
    private static final long LOG_BYTES = 256 << 10;
    private static final int LAST_WORDS = 500;
    private static final int SIGNALLED = 128;
    private static final Duration REST_OF_LOG = Duration.ofMillis(200);

    private final RuntimeFolder folder;
    private final WorkFolders work;
    private final Consumer<Note> head;
    private final Set<Process> alive = ConcurrentHashMap.newKeySet();

    /// Touched by the starting thread only.
    private final Deque<Standby> standbys = new ArrayDeque<>();

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("meshbook-head-starter").factory());

    private record Standby(Process process, Path temporary) {}

    Starter(RuntimeFolder folder, WorkFolders work, Consumer<Note> head) {
        this.folder = folder;
        this.work = work;
        this.head = head;
    }

    /// @param spare whether a standby may be taken, if one is there
    void start(HostProcess host, WorkerAssignment assignment, boolean spare) {
        thread.execute(
                () -> {
                    try {
                        serve(host, assignment, spare ? taken() : fresh());
                    } catch (IOException e) {
                        head.accept(
                                new Note.StartFailed(
                                        host, "cannot start a worker: " + e.getMessage()));
                    }
                });
    }

    /// @return what runs a worker that somebody else starts
    WorkerProgram program() {
        var command = new ArrayList<>(options());
        command.addAll(List.of(MAIN, POD));
        var environment = new HashMap<>(variables());
        environment.put("MESHBOOK_RUNTIME_DIR", folder.path().toString());
        return new WorkerProgram(command, environment);
    }

    /// @return a file for the image of a process, which nobody else is given
    Path imageFile() {
        return work.image();
    }

    /// Starts processes ahead; one that cannot be started is started when it is needed.
    void standBy(int count) {
        thread.execute(
                () -> {
                    try {
                        for (int i = 0; i < count; i++) {
                            standbys.add(fresh());
                        }
                    } catch (IOException e) {
                        LOG.log(Level.WARNING, "cannot start a spare: {0}", e.getMessage());
                    }
                });
    }

    /// Ends some of those that wait.
    void endStandbys(int count) {
        thread.execute(
                () -> {
                    for (int i = 0; i < count && !standbys.isEmpty(); i++) {
                        end(standbys.remove());
                    }
                });
    }

    /// Ends every worker, from any thread, at the end of the head.
    void killAll() {
        alive.forEach(Process::destroyForcibly);
    }

    private Standby taken() throws IOException {
        while (!standbys.isEmpty()) {
            var next = standbys.remove();
            if (next.process().isAlive()) {
                return next;
            }
            end(next);
        }
        return fresh();
    }

    private void end(Standby standby) {
        standby.process().destroyForcibly();
        alive.remove(standby.process());
        WorkFolders.delete(standby.temporary());
    }

    private Standby fresh() throws IOException {
        var temporary = work.fresh();
        var builder = new ProcessBuilder(command(temporary)).redirectErrorStream(true);
        builder.environment().putAll(variables());
        var process = builder.start();
        alive.add(process);
        return new Standby(process, temporary);
    }

    private void serve(HostProcess host, WorkerAssignment assignment, Standby standby) {
        var process = standby.process();
        head.accept(new Note.Started(host, process.toHandle()));
        var log = log(assignment);
        var words = new LastWords(LAST_WORDS);
        var pump =
                Thread.ofPlatform()
                        .daemon()
                        .name("meshbook-head-log " + process.pid())
                        .start(() -> pump(process, log, words));
        Thread.ofVirtual()
                .name("meshbook-head-wait " + process.pid())
                .start(() -> awaitEnd(host, process, pump, words, standby.temporary()));
        try {
            // The stream stays open: its end is the worker's end.
            var input = process.getOutputStream();
            assignment.writeDelimitedTo(input);
            input.flush();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a worker ended before it read its assignment", gone);
        }
    }

    /// A process that a signal ended left no message, and its loss must be known at once.
    private void awaitEnd(
            HostProcess host, Process process, Thread pump, LastWords words, Path temporary) {
        try {
            int code = process.waitFor();
            alive.remove(process);
            if (code < SIGNALLED) {
                pump.join(REST_OF_LOG);
            }
            head.accept(new Note.Exited(host, process.pid(), code, words.line()));
            WorkFolders.delete(temporary);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// ONNX Runtime 1.29 reads the command line with a regular expression that overflows the stack
    /// on a long one, in order to report it to its maker: neither is wanted.
    private static Map<String, String> variables() {
        return Map.of(
                "CLASSPATH", System.getProperty("java.class.path"), "ORT_DISABLE_TELEMETRY", "1");
    }

    private List<String> command(Path temporary) {
        var command = new ArrayList<>(options());
        command.addAll(List.of("-Djava.io.tmpdir=" + temporary, MAIN));
        return command;
    }

    private List<String> options() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Xms16m",
                        "-XX:ErrorFile=" + folder.file("worker-crash.log"),
                        "--enable-native-access=ALL-UNNAMED"));
        var cache = System.getProperty("meshbook.worker.aot", "");
        if (!cache.isEmpty() && Files.isRegularFile(Path.of(cache))) {
            command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:disable"));
        }
        return command;
    }

    private BoundedLog log(WorkerAssignment worker) {
        var name =
                "worker-%s-%d-%d.log"
                        .formatted(worker.getSession(), worker.getSlice(), worker.getHost());
        return new BoundedLog(folder.file(name), LOG_BYTES);
    }

    private static void pump(Process process, BoundedLog log, LastWords words) {
        var buffer = new byte[8192];
        try (log;
                var in = process.getInputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                log.write(buffer, 0, n);
                words.add(new String(buffer, 0, n, StandardCharsets.UTF_8));
            }
        } catch (IOException ended) {
            LOG.log(Level.DEBUG, "log of pid " + process.pid() + " ended", ended);
        }
    }
}
