package org.meshbook.kernel.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

/// Encrypted sockets.
@Tag("sockets")
@Timeout(60)
class CurveTest {
    private static final ZMQ.Curve.KeyPair SERVER = ZMQ.Curve.generateKeyPair();

    @TempDir Path folder;

    private static ConnectionFile encrypted() {
        var ports = new EnumMap<Channel, Integer>(Channel.class);
        for (var channel : Channel.values()) {
            ports.put(channel, 0);
        }
        return new ConnectionFile(
                "tcp",
                "127.0.0.1",
                ports,
                "hmac-sha256",
                "",
                Optional.of(new CurveKeys(SERVER.publicKey, SERVER.secretKey)));
    }

    private static final Inbox ECHO =
            new Inbox() {
                @Override
                public void received(Channel channel, Envelope envelope) {}

                @Override
                public Envelope welcome(String topic) {
                    var part = "{}".getBytes(UTF_8);
                    return new Envelope(List.of(), part, part, part, part, List.of());
                }
            };

    /// What the heartbeat answers within some time.
    private static @Nullable String beat(int port, @Nullable String serverKey, int millis) {
        var context = ZMQ.context(1);
        var socket = context.socket(SocketType.REQ);
        try {
            socket.setLinger(0);
            socket.setHandshakeIvl(1000);
            socket.setReceiveTimeOut(millis);
            if (serverKey != null) {
                var mine = ZMQ.Curve.generateKeyPair();
                socket.setCurveServerKey(serverKey.getBytes(UTF_8));
                socket.setCurvePublicKey(mine.publicKey.getBytes(UTF_8));
                socket.setCurveSecretKey(mine.secretKey.getBytes(UTF_8));
            }
            socket.connect("tcp://127.0.0.1:" + port);
            socket.send("ping");
            return socket.recvStr();
        } finally {
            socket.close();
            context.term();
        }
    }

    @Test
    void onlyWhoKnowsTheKeyIsServed() {
        try (var sockets = KernelSockets.bind(encrypted())) {
            sockets.serve(ECHO);
            var port = sockets.port(Channel.HEARTBEAT);
            assertThat(beat(port, SERVER.publicKey, 20_000)).isEqualTo("ping");
            assertThat(beat(port, null, 500)).isNull();
            assertThat(beat(port, ZMQ.Curve.generateKeyPair().publicKey, 500)).isNull();
            assertThat(beat(port, SERVER.publicKey, 20_000)).isEqualTo("ping");
        }
    }

    @Test
    void keysAreReadFromTheConnectionFile() throws IOException {
        var file = folder.resolve("kernel.json");
        var ports =
                "\"shell_port\": 1, \"control_port\": 2, \"stdin_port\": 3, \"iopub_port\": 4,"
                        + " \"hb_port\": 5";
        Files.writeString(
                file,
                "{%s, \"curve_publickey\": \"%s\", \"curve_secretkey\": \"%s\"}"
                        .formatted(ports, SERVER.publicKey, SERVER.secretKey));
        assertThat(ConnectionFile.read(file).curve())
                .contains(new CurveKeys(SERVER.publicKey, SERVER.secretKey));
        assertThat(ConnectionFile.read(file).toString()).doesNotContain(SERVER.secretKey);

        Files.writeString(file, "{%s, \"curve_publickey\": \"short\"}".formatted(ports));
        assertThatThrownBy(() -> ConnectionFile.read(file)).hasMessageContaining("only one of");
        Files.writeString(
                file,
                "{%s, \"curve_publickey\": \"short\", \"curve_secretkey\": \"%s\"}"
                        .formatted(ports, SERVER.secretKey));
        assertThatThrownBy(() -> ConnectionFile.read(file))
                .isInstanceOf(ConnectionFile.Unusable.class)
                .hasMessageContaining("curve_publickey")
                .hasMessageContaining("5 characters");
    }
}
