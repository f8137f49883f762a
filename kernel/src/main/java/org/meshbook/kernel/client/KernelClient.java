package org.meshbook.kernel.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.meshbook.kernel.protocol.Header;
import org.meshbook.kernel.protocol.MessageCodec;
import org.meshbook.kernel.wire.BadFrames;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.ConnectionFile;
import org.meshbook.kernel.wire.Envelope;
import org.meshbook.kernel.wire.FrameCodec;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A small Jupyter front end: shell, control and iopub of one kernel. Not thread-safe.
public final class KernelClient implements AutoCloseable {
    private static final byte[] EMPTY = "{}".getBytes(UTF_8);
    private static final Duration RECONNECT = Duration.ofMillis(10);
    // JeroMQ's client gets stuck in some of its handshakes; it then tries again.
    private static final Duration HANDSHAKE = Duration.ofSeconds(1);

    private final ZContext context = new ZContext(1);
    private final String session = UUID.randomUUID().toString();
    private final ConnectionFile file;
    private final FrameCodec codec;
    private final ZMQ.Socket shell;
    private final ZMQ.Socket control;
    private final ZMQ.Socket iopub;

    /// Connects; the kernel need not be there yet.
    ///
    /// @param file what the kernel was given, with real ports
    public KernelClient(ConnectionFile file) {
        this.file = file;
        context.setLinger(0);
        codec = FrameCodec.of(file.scheme(), file.key());
        shell = socket(SocketType.DEALER, Channel.SHELL);
        control = socket(SocketType.DEALER, Channel.CONTROL);
        iopub = socket(SocketType.SUB, Channel.IOPUB);
        iopub.subscribe(ZMQ.SUBSCRIPTION_ALL);
    }

    private ZMQ.Socket socket(SocketType type, Channel channel) {
        var socket = context.createSocket(type);
        socket.setHandshakeIvl((int) HANDSHAKE.toMillis());
        socket.setReconnectIVL((int) RECONNECT.toMillis());
        socket.setRcvHWM(0);
        if (type == SocketType.DEALER) {
            socket.setIdentity(session.getBytes(UTF_8));
        }
        socket.connect("tcp://" + file.ip() + ":" + file.port(channel));
        return socket;
    }

    /// A message of the kernel's.
    ///
    /// @param type as `execute_reply`
    /// @param parent id of the request that it belongs to; empty for none
    /// @param content what it says
    public record Message(String type, String parent, JsonNode content) {}

    /// Sends a request.
    ///
    /// @param channel shell or control
    /// @param type as `execute_request`
    /// @param content what it asks
    /// @return its id
    public String send(Channel channel, String type, Map<String, Object> content) {
        var header = Header.now(session, "meshbook", type);
        var envelope =
                new Envelope(
                        List.of(),
                        MessageCodec.write(header),
                        EMPTY,
                        EMPTY,
                        MessageCodec.write(content),
                        List.of());
        var frames = codec.frames(envelope);
        for (var at = 0; at < frames.size(); at++) {
            var unused = of(channel).send(frames.get(at), at < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
        return header.id();
    }

    /// Waits for a message.
    ///
    /// @param channel shell, control or iopub
    /// @param wanted which one; others are passed over
    /// @param patience how long to wait
    /// @return the first that fits, or empty if none came
    public Optional<Message> next(Channel channel, Predicate<Message> wanted, Duration patience) {
        var deadline = System.nanoTime() + patience.toNanos();
        var socket = of(channel);
        while (true) {
            var left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            socket.setReceiveTimeOut((int) Math.min(left, Integer.MAX_VALUE));
            var frame = socket.recv();
            if (frame == null) {
                return Optional.empty();
            }
            var message = read(socket, frame).filter(wanted);
            if (message.isPresent()) {
                return message;
            }
            if (System.nanoTime() > deadline) {
                return Optional.empty();
            }
        }
    }

    /// Frames that cannot be understood are no message.
    private Optional<Message> read(ZMQ.Socket socket, byte[] first) {
        var frames = new ArrayList<byte[]>();
        frames.add(first);
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv());
        }
        try {
            var envelope = codec.envelope(frames);
            var json = JsonMapper.shared();
            return Optional.of(
                    new Message(
                            MessageCodec.header(envelope.header()).type(),
                            json.readTree(envelope.parent()).path("msg_id").asString(""),
                            json.readTree(envelope.content())));
        } catch (BadFrames e) {
            return Optional.empty();
        }
    }

    private ZMQ.Socket of(Channel channel) {
        return switch (channel) {
            case SHELL -> shell;
            case CONTROL -> control;
            case IOPUB -> iopub;
            case STDIN, HEARTBEAT ->
                    throw new IllegalArgumentException("no socket for " + channel + " here");
        };
    }

    @Override
    public void close() {
        context.close();
    }
}
