package org.meshbook.kernel.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The start-up handshake, against a registrar on a real socket.
@Tag("sockets")
@Timeout(60)
class RegistrationTest {
    private static final FrameCodec CODEC = FrameCodec.of("hmac-sha256", "secret");

    @TempDir Path folder;

    private final ZMQ.Context context = ZMQ.context(1);
    private final ZMQ.Socket registrar = context.socket(SocketType.ROUTER);
    private final int port = registrar.bindToRandomPort("tcp://127.0.0.1");

    RegistrationTest() {
        registrar.setLinger(0);
        registrar.setReceiveTimeOut(20_000);
    }

    @AfterEach
    void end() {
        registrar.close();
        context.term();
    }

    private Registration registration(String shownPort) throws IOException {
        var file = folder.resolve("registration.json");
        Files.writeString(
                file,
                """
                {"kernel_id": "k-1", "transport": "tcp", "registration_ip": "127.0.0.1",
                 "registration_port": %s, "signature_scheme": "hmac-sha256", "key": "secret"}
                """
                        .formatted(shownPort));
        return Registration.find(file).orElseThrow();
    }

    /// Registers, and answers with what is given: signature and content.
    private JsonNode told(Registration registration, List<byte[]> answer) throws Exception {
        try (var sockets = KernelSockets.bind(registration.connection());
                var threads = Executors.newSingleThreadExecutor()) {
            Future<?> done = threads.submit(() -> registration.register(sockets));
            var frames = new ArrayList<byte[]>();
            do {
                frames.add(registrar.recv());
            } while (registrar.hasReceiveMore());
            assertThat(frames).hasSize(4);
            assertThat(frames.get(1)).isEqualTo("<IDS|MSG>".getBytes(UTF_8));
            assertThat(CODEC.signs(frames.get(2), frames.get(3))).isTrue();
            registrar.send(frames.getFirst(), ZMQ.SNDMORE);
            registrar.send("<IDS|MSG>".getBytes(UTF_8), ZMQ.SNDMORE);
            registrar.send(answer.get(0), ZMQ.SNDMORE);
            registrar.send(answer.get(1), 0);
            done.get();
            var told = JsonMapper.shared().readTree(frames.get(3));
            assertThat(told.path("shell_port").asInt()).isEqualTo(sockets.port(Channel.SHELL));
            assertThat(told.path("hb_port").asInt()).isEqualTo(sockets.port(Channel.HEARTBEAT));
            assertThat(told.path("kernel_id").asString()).isEqualTo("k-1");
            return told;
        }
    }

    private static List<byte[]> signed(String content) {
        var bytes = content.getBytes(UTF_8);
        return List.of(CODEC.signature(bytes), bytes);
    }

    @Test
    void theKernelTellsItsPortsAsNumbers() throws Exception {
        var told = told(registration(Integer.toString(port)), signed("ACK"));
        assertThat(told.path("shell_port").isNumber()).isTrue();
    }

    @Test
    void portsAreTextsWhereTheFileHasTexts() throws Exception {
        var told = told(registration("\"" + port + "\""), signed("ACK"));
        assertThat(told.path("shell_port").isString()).isTrue();
    }

    @Test
    void anAnswerThatIsNotSignedIsNone() throws IOException {
        var registration = registration(Integer.toString(port));
        var wrong = List.of("0".repeat(64).getBytes(UTF_8), "ACK".getBytes(UTF_8));
        assertThatThrownBy(() -> told(registration, wrong))
                .isInstanceOf(ExecutionException.class)
                .rootCause()
                .isInstanceOf(ConnectionFile.Unusable.class)
                .hasMessageContaining("within 5 s; one with a wrong signature did")
                .hasMessageContaining("tcp://127.0.0.1:" + port);
    }

    @Test
    void anOrdinaryConnectionFileIsWrittenBesideIt() throws IOException {
        var registration = registration(Integer.toString(port));
        try (var sockets = KernelSockets.bind(registration.connection())) {
            var written =
                    registration.writeConnectionFile(folder.resolve("registration.json"), sockets);
            assertThat(written).isEqualTo(folder.resolve("kernel-k-1.json"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
                    .isEqualTo("rw-------");
            var connection = ConnectionFile.read(written);
            assertThat(connection.key()).isEqualTo("secret");
            assertThat(connection.port(Channel.IOPUB)).isEqualTo(sockets.port(Channel.IOPUB));
        }
    }

    @Test
    void aFileWithPortsIsNoRegistration() throws IOException {
        var file = Files.writeString(folder.resolve("kernel.json"), "{\"shell_port\": 1}");
        assertThat(Registration.find(file)).isEmpty();
    }

    @Test
    void aPortThatIsNoneIsNamed() {
        assertThatThrownBy(() -> registration("\"soon\""))
                .isInstanceOf(ConnectionFile.Unusable.class)
                .hasMessageContaining("soon");
    }
}
