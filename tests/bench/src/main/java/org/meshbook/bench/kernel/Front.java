package org.meshbook.bench.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A front end of one kernel, which it started. One thread reads each socket; the caller's does the
/// rest.
final class Front implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.shared();

    /// A message, and when it was here.
    record Message(long nanos, JsonNode header, JsonNode parent, JsonNode content) {
        String type() {
            return header.path("msg_type").asString("");
        }

        boolean idle() {
            return type().equals("status")
                    && content.path("execution_state").asString("").equals("idle");
        }
    }

    /// What came of a cell.
    ///
    /// @param sent when it was sent
    /// @param replied when the reply was here
    /// @param idle when the kernel was idle again
    /// @param status of the reply
    /// @param lines that it printed until then
    record Ran(long sent, long replied, long idle, String status, long lines) {
        Duration reply() {
            return Duration.ofNanos(replied - sent);
        }

        Duration toIdle() {
            return Duration.ofNanos(idle - sent);
        }
    }

    private final String session = UUID.randomUUID().toString();
    private final String key = UUID.randomUUID().toString();
    private final Path file;
    private final Process process;
    private final long launched;
    private final ZmtpLink shell;
    private final ZmtpLink control;
    private final ZmtpLink iopub;
    private final int heartbeatPort;
    private final LinkedBlockingQueue<Message> replies = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Message> controls = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Message> published = new LinkedBlockingQueue<>();

    private Front(Peer peer) throws IOException, InterruptedException {
        var ports = freePorts(5);
        file = Files.createTempFile("meshbook-bench-", ".json");
        var names = List.of("shell_port", "control_port", "iopub_port", "stdin_port", "hb_port");
        var connection = new LinkedHashMap<String, Object>();
        for (var at = 0; at < names.size(); at++) {
            connection.put(names.get(at), ports.get(at));
        }
        connection.put("ip", "127.0.0.1");
        connection.put("transport", "tcp");
        connection.put("signature_scheme", "hmac-sha256");
        connection.put("key", key);
        Files.writeString(file, JSON.writeValueAsString(connection));
        heartbeatPort = ports.get(4);
        var command =
                peer.command().stream()
                        .map(word -> word.replace("{connection_file}", file.toString()))
                        .toList();
        launched = System.nanoTime();
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            shell = ZmtpLink.open(ports.get(0), "DEALER", session, process, PATIENCE);
            control = ZmtpLink.open(ports.get(1), "DEALER", session, process, PATIENCE);
            iopub = ZmtpLink.open(ports.get(2), "SUB", session, process, PATIENCE);
        } catch (IOException | InterruptedException e) {
            process.destroyForcibly();
            Files.deleteIfExists(file);
            throw e;
        }
        read(shell, replies);
        read(control, controls);
        read(iopub, published);
    }

    /// Starts a kernel and connects as soon as it listens.
    static Front start(Peer peer) throws IOException, InterruptedException {
        return new Front(peer);
    }

    private static List<Integer> freePorts(int count) throws IOException {
        var open = new ArrayList<ServerSocket>();
        try {
            for (var at = 0; at < count; at++) {
                open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return open.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : open) {
                socket.close();
            }
        }
    }

    private void read(ZmtpLink link, LinkedBlockingQueue<Message> queue) {
        Runnable loop =
                () -> {
                    try {
                        while (true) {
                            var frames = link.receive();
                            var at = 0;
                            while (!new String(frames.get(at), UTF_8).equals("<IDS|MSG>")) {
                                at++;
                            }
                            queue.add(
                                    new Message(
                                            System.nanoTime(),
                                            JSON.readTree(frames.get(at + 2)),
                                            JSON.readTree(frames.get(at + 3)),
                                            JSON.readTree(frames.get(at + 5))));
                        }
                    } catch (IOException e) {
                        System.getLogger(Front.class.getName())
                                .log(System.Logger.Level.DEBUG, "the kernel is gone", e);
                    }
                };
        Thread.ofPlatform().daemon().name("bench-reader").start(loop);
    }

    ProcessTree processes() {
        return new ProcessTree(process.toHandle());
    }

    /// @return from the launch until now
    Duration sinceLaunch() {
        return Duration.ofNanos(System.nanoTime() - launched);
    }

    /// Asks on shell.
    ///
    /// @return how long the answer took
    Duration ask(String type, Map<String, ?> content) throws IOException, InterruptedException {
        var sent = System.nanoTime();
        var id = send(shell, type, content);
        var reply = await(replies, id, _ -> true);
        return Duration.ofNanos(reply.nanos() - sent);
    }

    /// Runs a cell until its kernel is idle again.
    Ran run(String code) throws IOException, InterruptedException {
        var sent = System.nanoTime();
        return await(sent, begin(code));
    }

    /// Sends a cell and does not wait.
    ///
    /// @return its message's id
    String begin(String code) throws IOException {
        return send(
                shell,
                "execute_request",
                Map.of("code", code, "silent", false, "store_history", true, "allow_stdin", false));
    }

    /// @return the cell with this id, when it has ended
    Ran await(long sent, String id) throws IOException, InterruptedException {
        var lines = 0L;
        Message message;
        do {
            message = await(published, id, _ -> true);
            if (message.type().equals("stream")) {
                var text = message.content().path("text").asString("");
                lines += text.chars().filter(c -> c == '\n').count();
            }
        } while (!message.idle());
        var reply = await(replies, id, _ -> true);
        var status = reply.content().path("status").asString("");
        return new Ran(sent, reply.nanos(), message.nanos(), status, lines);
    }

    void interrupt(Peer peer) throws IOException, InterruptedException {
        if (peer.interruptBySignal()) {
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        } else {
            send(control, "interrupt_request", Map.of());
        }
    }

    /// @return round trip of one heartbeat
    Duration heartbeat() throws IOException, InterruptedException {
        // No identity: a router that still holds the last connection would refuse a second of its
        // name.
        try (var link = ZmtpLink.open(heartbeatPort, "REQ", "", process, PATIENCE)) {
            var sent = System.nanoTime();
            link.send(List.of(new byte[0], "ping".getBytes(UTF_8)));
            var unused = link.receive();
            return Duration.ofNanos(System.nanoTime() - sent);
        }
    }

    /// Asks the kernel to leave.
    ///
    /// @return until its process and all that it started are gone; null if one lives after 10 s
    @Nullable Duration shutdown() throws IOException, InterruptedException {
        var tree = processes().alive().toList();
        var sent = System.nanoTime();
        send(control, "shutdown_request", Map.of("restart", false));
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            return null;
        }
        var took = Duration.ofNanos(System.nanoTime() - sent);
        return tree.stream().anyMatch(ProcessHandle::isAlive) ? null : took;
    }

    private String send(ZmtpLink link, String type, Map<String, ?> content) throws IOException {
        var id = UUID.randomUUID().toString();
        var header =
                Map.of(
                        "msg_id",
                        id,
                        "session",
                        session,
                        "username",
                        "bench",
                        "date",
                        "2026-01-01T00:00:00Z",
                        "msg_type",
                        type,
                        "version",
                        "5.4");
        var parts =
                List.of(
                        JSON.writeValueAsBytes(header),
                        "{}".getBytes(UTF_8),
                        "{}".getBytes(UTF_8),
                        JSON.writeValueAsBytes(content));
        var frames = new ArrayList<>(List.of("<IDS|MSG>".getBytes(UTF_8), signature(parts)));
        frames.addAll(parts);
        link.send(frames);
        return id;
    }

    private byte[] signature(List<byte[]> parts) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
            parts.forEach(mac::update);
            return HexFormat.of().formatHex(mac.doFinal()).getBytes(UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private Message await(LinkedBlockingQueue<Message> queue, String id, Predicate<Message> wanted)
            throws IOException, InterruptedException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var message = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (message == null) {
                throw new IOException("no answer in %s s".formatted(PATIENCE.toSeconds()));
            }
            if (message.parent().path("msg_id").asString("").equals(id) && wanted.test(message)) {
                return message;
            }
        }
    }

    @Override
    public void close() throws IOException {
        var left = processes().alive().toList();
        List.of(shell, control, iopub).forEach(ZmtpLink::close);
        left.forEach(ProcessHandle::destroyForcibly);
        Files.deleteIfExists(file);
    }
}
