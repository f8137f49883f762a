package org.meshbook.kernel.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.KernelSockets;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A small Jupyter front end over real sockets, with framing and signature of its own.
final class JupyterClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final JsonMapper JSON = JsonMapper.shared();

    /// A message as it came.
    record Message(
            JsonNode header,
            JsonNode parent,
            JsonNode metadata,
            JsonNode content,
            List<byte[]> buffers) {
        String type() {
            return header.path("msg_type").asString("");
        }

        /// The type, and for a status its state.
        String kind() {
            return type().equals("status") ? content.path("execution_state").asString("") : type();
        }

        boolean of(String id) {
            return parent.path("msg_id").asString("").equals(id);
        }

        String field(String name) {
            return content.path(name).asString("");
        }
    }

    /// Sees each message that is received, whoever it is for.
    Consumer<Message> watch = _ -> {};

    /// Sees the frames of each message that is sent.
    Consumer<List<byte[]>> sent = _ -> {};

    private final ZMQ.Context context = ZMQ.context(1);
    private final String session = UUID.randomUUID().toString();
    private final String key;
    private final ZMQ.Socket shell;
    private final ZMQ.Socket control;
    private final ZMQ.Socket stdin;
    private final ZMQ.Socket iopub;
    private final List<Message> kept = new ArrayList<>();
    private final List<Message> replies = new ArrayList<>();

    JupyterClient(KernelSockets kernel, String key) {
        this.key = key;
        context.setUncaughtExceptionHandler((_, _) -> {});
        context.setNotificationExceptionHandler((_, _) -> {});
        this.shell = dealer(kernel.port(Channel.SHELL));
        this.control = dealer(kernel.port(Channel.CONTROL));
        this.stdin = dealer(kernel.port(Channel.STDIN));
        this.iopub = subscriber(kernel.port(Channel.IOPUB));
    }

    ZMQ.Socket subscriber(int port) {
        var socket = context.socket(SocketType.SUB);
        socket.setLinger(0);
        // JeroMQ's client gets stuck in about 3 % of its handshakes; libzmq's never does.
        socket.setHandshakeIvl(1000);
        socket.setRcvHWM(0);
        socket.subscribe(new byte[0]);
        socket.connect("tcp://127.0.0.1:" + port);
        return socket;
    }

    private ZMQ.Socket dealer(int port) {
        return dealer(port, session.getBytes(UTF_8));
    }

    private ZMQ.Socket dealer(int port, byte[] identity) {
        var socket = context.socket(SocketType.DEALER);
        socket.setLinger(0);
        // JeroMQ's client gets stuck in about 3 % of its handshakes; libzmq's never does.
        socket.setHandshakeIvl(1000);
        socket.setIdentity(identity);
        socket.connect("tcp://127.0.0.1:" + port);
        return socket;
    }

    String execute(String code) {
        return execute(code, Map.of());
    }

    String execute(String code, Map<String, Object> more) {
        var content = new LinkedHashMap<String, Object>(Map.of("code", code));
        content.putAll(more);
        return send(Channel.SHELL, "execute_request", content);
    }

    String send(Channel channel, String type, Map<String, ?> content) {
        return send(channel, type, JSON.writeValueAsString(content), key);
    }

    String send(Channel channel, String type, String content, String signedWith) {
        return send(channel, type, content, signedWith, List.of());
    }

    String send(
            Channel channel, String type, String content, String signedWith, List<byte[]> buffers) {
        return send(channel, header(type), "{}", content, signedWith, buffers);
    }

    /// Sends to a subshell.
    String send(String subshell, Channel channel, String type, Map<String, ?> content) {
        var header = header(type);
        header.put("subshell_id", subshell);
        return send(channel, header, "{}", JSON.writeValueAsString(content), key, List.of());
    }

    /// Answers a question, as JupyterLab does: under the question's header.
    void answer(Message question, String value) {
        var content = JSON.writeValueAsString(Map.of("status", "ok", "value", value));
        var parent = JSON.writeValueAsString(question.header());
        send(Channel.STDIN, header("input_reply"), parent, content, key, List.of());
    }

    private Map<String, String> header(String type) {
        var header = new LinkedHashMap<String, String>();
        header.put("msg_id", UUID.randomUUID().toString());
        header.put("session", session);
        header.put("username", "tester");
        header.put("date", "2026-01-01T00:00:00Z");
        header.put("msg_type", type);
        header.put("version", "5.4");
        return header;
    }

    private String send(
            Channel channel,
            Map<String, String> fields,
            String parent,
            String content,
            String signedWith,
            List<byte[]> buffers) {
        var header = JSON.writeValueAsString(fields);
        var id = Objects.requireNonNull(fields.get("msg_id"));
        var parts = List.of(header, parent, "{}", content);
        var frames = new ArrayList<byte[]>();
        frames.add("<IDS|MSG>".getBytes(UTF_8));
        frames.add(sign(parts, signedWith).getBytes(UTF_8));
        parts.forEach(part -> frames.add(part.getBytes(UTF_8)));
        frames.addAll(buffers);
        rawBytes(channel, frames);
        return id;
    }

    void raw(Channel channel, List<String> frames) {
        rawBytes(channel, frames.stream().map(frame -> frame.getBytes(UTF_8)).toList());
    }

    void rawBytes(Channel channel, List<byte[]> frames) {
        sent.accept(frames);
        write(socket(channel), frames);
    }

    private static void write(ZMQ.Socket socket, List<byte[]> frames) {
        for (var at = 0; at < frames.size(); at++) {
            var more = at < frames.size() - 1 ? ZMQ.SNDMORE : 0;
            assertThat(socket.send(frames.get(at), more)).isTrue();
        }
    }

    static String sign(List<String> parts, String key) {
        if (key.isEmpty()) {
            return "";
        }
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
            parts.forEach(part -> mac.update(part.getBytes(UTF_8)));
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /// The next reply to a request; replies to others are kept for whoever asks for them.
    Message reply(Channel channel, String id) {
        var early = replies.stream().filter(message -> message.of(id)).findFirst();
        early.ifPresent(replies::remove);
        return early.orElseGet(
                () -> next(socket(channel), message -> message.of(id) || !replies.add(message)));
    }

    /// The next question on stdin.
    Message question() {
        return next(stdin, message -> message.type().equals("input_request"));
    }

    /// Forgets what was received and nobody asked for.
    void forget() {
        kept.clear();
        replies.clear();
    }

    /// A further peer of shell.
    Other other(int port, String name) {
        return new Other(dealer(port, name.getBytes(UTF_8)));
    }

    /// Another peer, with an identity of its own.
    final class Other implements AutoCloseable {
        private final ZMQ.Socket socket;

        private Other(ZMQ.Socket socket) {
            this.socket = socket;
        }

        Message ask(String type) {
            var fields = header(type);
            var parts = List.of(JSON.writeValueAsString(fields), "{}", "{}", "{}");
            var frames = new ArrayList<byte[]>();
            frames.add("<IDS|MSG>".getBytes(UTF_8));
            frames.add(sign(parts, key).getBytes(UTF_8));
            parts.forEach(part -> frames.add(part.getBytes(UTF_8)));
            write(socket, frames);
            return next(
                    socket, message -> message.of(Objects.requireNonNull(fields.get("msg_id"))));
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /// What iopub said and nobody asked for yet.
    List<Message> kept() {
        return kept;
    }

    /// Everything that iopub says about a request, to its idle.
    List<Message> published(String id) {
        return published(id, message -> message.kind().equals("idle"));
    }

    List<Message> published(String id, Predicate<Message> last) {
        var found = new ArrayList<Message>();
        var mine = kept.stream().filter(message -> message.of(id)).toList();
        kept.removeAll(mine);
        for (var message : mine) {
            found.add(message);
            if (last.test(message)) {
                return found;
            }
        }
        while (true) {
            var message = next(iopub, _ -> true);
            if (message.of(id)) {
                found.add(message);
                if (last.test(message)) {
                    return found;
                }
            } else {
                kept.add(message);
            }
        }
    }

    /// The next message of iopub that fits, whatever it belongs to.
    Message next(Predicate<Message> wanted) {
        var found = kept.stream().filter(wanted).findFirst();
        found.ifPresent(kept::remove);
        return found.orElseGet(() -> next(iopub, wanted));
    }

    /// The next message of a socket that fits.
    Message next(ZMQ.Socket socket, Predicate<Message> wanted) {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            socket.setReceiveTimeOut((int) Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            var frame = socket.recv();
            assertThat(frame).as("a message within %s", PATIENCE).isNotNull();
            var frames = new ArrayList<byte[]>();
            frames.add(frame);
            while (socket.hasReceiveMore()) {
                frames.add(socket.recv());
            }
            var message = message(frames);
            if (wanted.test(message)) {
                return message;
            }
        }
    }

    private Message message(List<byte[]> frames) {
        var at = 0;
        while (!new String(frames.get(at), UTF_8).equals("<IDS|MSG>")) {
            at++;
        }
        var parts =
                frames.subList(at + 2, at + 6).stream()
                        .map(part -> new String(part, UTF_8))
                        .toList();
        assertThat(new String(frames.get(at + 1), UTF_8))
                .as("signature")
                .isEqualTo(sign(parts, key));
        var message =
                new Message(
                        JSON.readTree(parts.get(0)),
                        JSON.readTree(parts.get(1)),
                        JSON.readTree(parts.get(2)),
                        JSON.readTree(parts.get(3)),
                        List.copyOf(frames.subList(at + 6, frames.size())));
        ProtocolSchema.check(message);
        watch.accept(message);
        return message;
    }

    private ZMQ.Socket socket(Channel channel) {
        return switch (channel) {
            case SHELL -> shell;
            case CONTROL -> control;
            case STDIN -> stdin;
            case IOPUB -> iopub;
            case HEARTBEAT -> throw new AssertionError("no heartbeat here");
        };
    }

    /// What a request printed.
    static String printed(List<Message> messages, String stream) {
        var text = new StringBuilder();
        messages.stream()
                .filter(message -> message.type().equals("stream"))
                .filter(message -> message.field("name").equals(stream))
                .forEach(message -> text.append(message.field("text")));
        return text.toString();
    }

    static List<String> kinds(List<Message> messages) {
        return messages.stream().map(Message::kind).toList();
    }

    @Override
    public void close() {
        for (var socket : List.of(shell, control, stdin, iopub)) {
            socket.close();
        }
        context.term();
    }
}
