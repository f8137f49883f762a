package org.meshbook.kernel.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The start-up handshake of protocol 5.6: the kernel chooses its ports and tells them to whoever
/// started it.
///
/// The file that the kernel is given has `registration_*` keys in place of ports. The kernel sends
/// `<IDS|MSG> signature content` from a DEALER, where the content is a JSON object of `kernel_id`
/// and five ports, and waits for `<IDS|MSG> signature content` in return, which is acknowledged by
/// its signature alone. The text of the protocol shows ports as numbers, xeus reads and writes them
/// as texts: what the file does with `registration_port`, the kernel does with its own.
///
/// @param kernel its id
/// @param ip of the one who waits
/// @param port of the one who waits
/// @param text whether ports are written as texts
/// @param connection how to listen: on free ports
public record Registration(
        String kernel, String ip, int port, boolean text, ConnectionFile connection) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int HANDSHAKE_MILLIS = 1000;
    private static final int FRAMES = 3;

    /// @param file what the kernel was given
    /// @return a registration, or empty if the file says itself where to listen
    /// @throws ConnectionFile.Unusable if it cannot be read or understood
    public static Optional<Registration> find(Path file) {
        var json = ConnectionFile.json(file);
        if (!json.has("registration_port")) {
            return Optional.empty();
        }
        var port = json.path("registration_port");
        var number = port.asInt(-1);
        if (number < 1 || number > 65535) {
            throw new ConnectionFile.Unusable("registration_port is " + port + "; give 1 to 65535");
        }
        var transport = json.path("transport").asString("tcp");
        if (!transport.equals("tcp")) {
            throw new ConnectionFile.Unusable(
                    "a kernel registers over tcp; transport is '" + transport + "'");
        }
        var ip = json.path("registration_ip").asString("127.0.0.1");
        var ports = new EnumMap<Channel, Integer>(Channel.class);
        for (var channel : Channel.values()) {
            ports.put(channel, 0);
        }
        return Optional.of(
                new Registration(
                        json.path("kernel_id").asString(""),
                        ip,
                        number,
                        port.isString(),
                        new ConnectionFile(
                                transport,
                                json.path("ip").asString(ip),
                                ports,
                                json.path("signature_scheme").asString("hmac-sha256"),
                                json.path("key").asString(""),
                                CurveKeys.of(json))));
    }

    /// Tells the ports and waits for the acknowledgement; blocks for 5 seconds at most.
    ///
    /// @param sockets bound
    /// @throws ConnectionFile.Unusable if none comes
    public void register(KernelSockets sockets) {
        var context = ZMQ.context(1);
        var socket = context.socket(SocketType.DEALER);
        try {
            socket.setLinger(0);
            socket.setHandshakeIvl(HANDSHAKE_MILLIS);
            socket.connect("tcp://" + ip + ":" + port);
            var codec = FrameCodec.of(connection.scheme(), connection.key());
            var content =
                    JsonMapper.shared().writeValueAsBytes(ports(sockets).put("kernel_id", kernel));
            socket.send(FrameCodec.DELIMITER, ZMQ.SNDMORE);
            socket.send(codec.signature(content), ZMQ.SNDMORE);
            socket.send(content, 0);
            awaitAnswer(socket, codec, content);
        } finally {
            socket.close();
            context.term();
        }
    }

    private void awaitAnswer(ZMQ.Socket socket, FrameCodec codec, byte[] sent) {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        var wrong = false;
        while (true) {
            var left = (deadline - System.nanoTime()) / 1_000_000;
            socket.setReceiveTimeOut((int) Math.max(1, left));
            var frames = left <= 0 ? null : frames(socket);
            if (frames == null) {
                throw new ConnectionFile.Unusable(
                        "registered at tcp://%s:%d, but no acknowledgement signed with the key came within %d s%s"
                                .formatted(
                                        ip,
                                        port,
                                        PATIENCE.toSeconds(),
                                        wrong ? "; one with a wrong signature did" : ""));
            }
            if (acknowledges(frames, codec, sent)) {
                return;
            }
            wrong = true;
        }
    }

    /// @return all frames of the next message, or null if there was none in time
    private static @Nullable List<byte[]> frames(ZMQ.Socket socket) {
        var first = socket.recv();
        if (first == null) {
            return null;
        }
        var frames = new ArrayList<byte[]>(FRAMES);
        frames.add(first);
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv());
        }
        return frames;
    }

    private static boolean acknowledges(List<byte[]> frames, FrameCodec codec, byte[] sent) {
        return frames.size() == FRAMES
                && Arrays.equals(frames.getFirst(), FrameCodec.DELIMITER)
                && codec.signs(frames.get(1), frames.get(2))
                && !Arrays.equals(frames.get(2), sent);
    }

    /// Writes an ordinary connection file, for its owner only, for clients that look for one.
    ///
    /// @param registration the file that the kernel was given
    /// @param sockets bound
    /// @return the file that was written, beside it
    public Path writeConnectionFile(Path registration, KernelSockets sockets) {
        var id = kernel.replaceAll("[^A-Za-z0-9._-]", "_");
        var given = registration.toAbsolutePath();
        var file = given.resolveSibling("kernel-" + id + ".json");
        if (file.equals(given)) {
            file = given.resolveSibling("kernel-" + id + "-connection.json");
        }
        var json =
                ports(sockets)
                        .put("transport", connection.transport())
                        .put("ip", connection.ip())
                        .put("signature_scheme", connection.scheme())
                        .put("key", connection.key())
                        .put("kernel_id", kernel);
        connection
                .curve()
                .ifPresent(
                        keys ->
                                json.put("curve_publickey", keys.publicKey())
                                        .put("curve_secretkey", keys.secretKey()));
        numbers(json);
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, onlyOwner(file));
            return Files.writeString(file, json.toPrettyString() + "\n", UTF_8);
        } catch (IOException e) {
            throw new ConnectionFile.Unusable(
                    "cannot write connection file '" + file + "': " + e.getMessage());
        }
    }

    private ObjectNode ports(KernelSockets sockets) {
        var json = JsonMapper.shared().createObjectNode();
        for (var channel : Channel.values()) {
            var number = sockets.port(channel);
            var name = channel.word() + "_port";
            if (text) {
                json.put(name, Integer.toString(number));
            } else {
                json.put(name, number);
            }
        }
        return json;
    }

    /// In a connection file ports are numbers.
    private static void numbers(ObjectNode json) {
        for (var channel : Channel.values()) {
            var name = channel.word() + "_port";
            json.put(name, json.path(name).asInt());
        }
    }

    private static FileAttribute<?>[] onlyOwner(Path file) {
        var posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
