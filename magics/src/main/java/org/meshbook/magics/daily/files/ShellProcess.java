package org.meshbook.magics.daily.files;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.MagicException;

/// One script in a shell, in a process group of its own where the machine can make one, so that an
/// interrupt ends all that it started.
final class ShellProcess {
    /// How long a script may take to end when it is told to.
    private static final long PATIENCE_MILLIS = 300;

    private final String shell;
    private final String script;
    private final Environment environment;
    private @Nullable RuntimeException refused;

    ShellProcess(String shell, String script, Environment environment) {
        this.shell = shell;
        this.script = script;
        this.environment = environment;
    }

    /// Runs it to its end.
    ///
    /// @return its exit code
    /// @throws InterruptedException after everything that it started was ended
    int run(OutputStream out, OutputStream err) throws IOException, InterruptedException {
        var process = start();
        process.getOutputStream().close();
        var pumps =
                List.of(
                        pump(process, process.getInputStream(), out),
                        pump(process, process.getErrorStream(), err));
        try {
            var code = process.waitFor();
            // What it left running may hold its streams; that goes on below this cell.
            for (var pump : pumps) {
                pump.join(PATIENCE_MILLIS);
            }
            throwRefused();
            return code;
        } catch (InterruptedException | RuntimeException | Error e) {
            end(process);
            throw e;
        }
    }

    private Process start() {
        var command = new ArrayList<String>();
        find("setsid").ifPresent(command::add);
        command.add(
                find(shell)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%%%s: there is no %s on this machine's PATH"
                                                        .formatted(shell, shell))));
        command.add("-c");
        command.add(script);
        var builder = new ProcessBuilder(command).directory(Folder.current().toFile());
        environment.apply(builder.environment());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new MagicException("%%%s cannot be started: %s".formatted(shell, e.getMessage()));
        }
    }

    private static java.util.Optional<String> find(String program) {
        var names =
                File.separatorChar == '\\' ? List.of(program + ".exe", program) : List.of(program);
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    private Thread pump(Process process, InputStream from, OutputStream to) {
        return Thread.ofPlatform()
                .daemon()
                .name("output of " + shell + " " + process.pid())
                .start(
                        () -> {
                            var bytes = new byte[8192];
                            try (from) {
                                for (var n = from.read(bytes); n >= 0; n = from.read(bytes)) {
                                    to.write(bytes, 0, n);
                                    to.flush();
                                }
                            } catch (MagicException e) {
                                refuse(e);
                                end(process);
                            } catch (IOException e) {
                                // The process was ended; its last words are lost with it.
                                return;
                            }
                        });
    }

    private synchronized void refuse(RuntimeException why) {
        refused = why;
    }

    private synchronized void throwRefused() {
        if (refused != null) {
            throw refused;
        }
    }

    /// Ends it and all that it started: first politely, then not.
    private static void end(Process process) {
        var all = new ArrayList<>(process.descendants().toList());
        signal(process, "TERM");
        all.forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            var unused = process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        signal(process, "KILL");
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /// To its whole group; there is none if `setsid` was not there.
    private static void signal(Process process, String name) {
        if (find("setsid").isEmpty()) {
            return;
        }
        try {
            var unused =
                    new ProcessBuilder("kill", "-" + name, "--", "-" + process.pid())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException e) {
            // The processes that are known are ended one by one.
            return;
        }
    }
}
