package org.meshbook.elastic.controller.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.RuntimeFolder;

/// Starts a head as a process that is nobody's child and waits until it can be used.
///
/// A shell starts it in the background and ends: the system adopts the head, and the shell has told
/// it to ignore Ctrl-C and the end of the terminal. It tells that it is ready by writing its state
/// file, and why it could not start by its last line in `head.out`. Two who start one at the same
/// time end up with the same one: the second to come finds the lock held.
final class HeadStart {
    private static final Duration READY = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final String MAIN = "org.meshbook.elastic.head.HeadMain";
    private static final String LOCKED = "locked:";
    private static final String DETACH =
            """
            trap '' HUP INT QUIT
            out=$1
            shift
            "$@" </dev/null >>"$out" 2>&1 &
            echo $!
            """;

    private final RuntimeFolder folder;
    private final Path out;
    private final int port;

    HeadStart(RuntimeFolder folder, int port) {
        this.folder = folder;
        this.out = folder.file("head.out");
        this.port = port;
    }

    HeadFile run() {
        try {
            Files.deleteIfExists(out);
            var process = launch();
            return awaitReady(process);
        } catch (IOException e) {
            throw new HeadUnavailable(
                    "cannot start the head in '%s': %s".formatted(folder.path(), e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HeadUnavailable("interrupted while the head was started", e);
        }
    }

    private Optional<ProcessHandle> launch() throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("/bin/sh", "-c", DETACH, "sh", out.toString()));
        command.addAll(java());
        var shell = new ProcessBuilder(command);
        shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        shell.redirectError(ProcessBuilder.Redirect.DISCARD);
        var started = shell.start();
        started.getOutputStream().close();
        var pid = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        started.waitFor();
        return pid.isBlank() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid.strip()));
    }

    private List<String> java() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Xms16m",
                        "-Xmx256m",
                        "-XX:ErrorFile=" + folder.file("head-crash.log"),
                        "--enable-native-access=ALL-UNNAMED"));
        cache("meshbook.head.aot").ifPresent(command::addAll);
        cached("meshbook.worker.aot")
                .ifPresent(file -> command.add("-Dmeshbook.worker.aot=" + file));
        command.addAll(List.of(MAIN, folder.path().toString(), Integer.toString(port)));
        return command;
    }

    /// A cache of another build or machine must cost a slower start and nothing else.
    private static Optional<List<String>> cache(String property) {
        return cached(property).map(file -> List.of("-XX:AOTCache=" + file, "-Xlog:disable"));
    }

    private static Optional<String> cached(String property) {
        return Optional.ofNullable(System.getProperty(property))
                .filter(file -> Files.isRegularFile(Path.of(file)));
    }

    private HeadFile awaitReady(Optional<ProcessHandle> process)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY.toNanos();
        while (System.nanoTime() - deadline < 0) {
            boolean running = process.filter(ProcessHandle::isAlive).isPresent();
            var head = HeadFile.find(folder);
            if (head.isPresent()) {
                return head.get();
            }
            if (!running && !lastLine().startsWith(LOCKED)) {
                throw new HeadUnavailable("the head did not start: " + lastLine());
            }
            TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
        }
        process.ifPresent(ProcessHandle::destroyForcibly);
        throw new HeadUnavailable(
                "the head did not start within %d s; see '%s'".formatted(READY.toSeconds(), out));
    }

    private String lastLine() throws IOException {
        if (!Files.exists(out)) {
            return "it left no message";
        }
        return Files.readString(out, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .reduce((first, second) -> second)
                .orElse("it left no message");
    }
}
