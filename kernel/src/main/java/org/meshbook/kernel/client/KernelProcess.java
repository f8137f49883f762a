package org.meshbook.kernel.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.meshbook.kernel.wire.ConnectionFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A kernel that was started as Jupyter starts one: by the command of its kernelspec, with a
/// connection file, and this process as its front end. Closing it ends it.
public final class KernelProcess implements AutoCloseable {
    private static final List<String> PORTS =
            List.of("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port");

    private final Path folder;
    private final Path words;
    private final Process process;
    private final ConnectionFile connection;

    private KernelProcess(Path folder, Path words, Process process, ConnectionFile connection) {
        this.folder = folder;
        this.words = words;
        this.process = process;
        this.connection = connection;
    }

    /// Starts what a kernelspec names.
    ///
    /// @param spec a `kernel.json`
    /// @return the process, which need not answer yet
    /// @throws IOException if the specification cannot be read, or its command cannot be started
    public static KernelProcess start(Path spec) throws IOException {
        var json = JsonMapper.shared().readTree(Files.readAllBytes(spec));
        var folder = Files.createTempDirectory("meshbook-kernel"); // 0700
        try {
            var file = folder.resolve("connection.json");
            Files.writeString(file, JsonMapper.shared().writeValueAsString(fresh()));
            var words = folder.resolve("words.txt");
            var builder =
                    new ProcessBuilder(command(json, file, spec))
                            .redirectErrorStream(true)
                            .redirectOutput(words.toFile())
                            .redirectInput(ProcessBuilder.Redirect.from(nothing()));
            json.path("env")
                    .properties()
                    .forEach(e -> builder.environment().put(e.getKey(), e.getValue().asString("")));
            builder.environment()
                    .put("JPY_PARENT_PID", String.valueOf(ProcessHandle.current().pid()));
            return new KernelProcess(folder, words, builder.start(), ConnectionFile.read(file));
        } catch (IOException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    private static List<String> command(JsonNode json, Path file, Path spec) {
        var command = new ArrayList<String>();
        for (var word : json.path("argv")) {
            command.add(
                    word.asString("")
                            .replace("{connection_file}", file.toString())
                            .replace("{resource_dir}", String.valueOf(spec.getParent())));
        }
        return command;
    }

    private static File nothing() {
        return new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");
    }

    /// Ports that were free a moment ago; all are held until the last is found.
    private static Map<String, Object> fresh() throws IOException {
        var loopback = InetAddress.getLoopbackAddress();
        var json = new LinkedHashMap<String, Object>();
        var held = new ArrayList<ServerSocket>();
        try {
            for (var port : PORTS) {
                held.add(new ServerSocket(0, 1, loopback));
                json.put(port, held.getLast().getLocalPort());
            }
        } finally {
            for (var socket : held) {
                socket.close();
            }
        }
        json.put("transport", "tcp");
        json.put("ip", "127.0.0.1");
        json.put("signature_scheme", "hmac-sha256");
        json.put("key", UUID.randomUUID().toString());
        json.put("kernel_name", "");
        return json;
    }

    /// @return where it listens
    public ConnectionFile connection() {
        return connection;
    }

    /// @return whether it runs
    public boolean isAlive() {
        return process.isAlive();
    }

    /// @return its exit status
    /// @throws IllegalThreadStateException if it runs
    public int status() {
        return process.exitValue();
    }

    /// @param patience how long to wait
    /// @return whether it has ended
    /// @throws InterruptedException if the wait is interrupted
    public boolean ended(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// @return the last line that it printed, or nothing
    public String lastWords() {
        try {
            var text = new String(Files.readAllBytes(words), UTF_8);
            return text.lines().filter(line -> !line.isBlank()).reduce("", (_, line) -> line);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        delete(folder);
    }

    private static void delete(Path folder) {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            System.getLogger(KernelProcess.class.getName())
                    .log(System.Logger.Level.DEBUG, "left behind: " + folder, e);
        }
    }
}
