package org.meshbook.kernel.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionFileTest {
    @TempDir Path folder;

    private ConnectionFile read(String json) throws IOException {
        return ConnectionFile.read(Files.writeString(folder.resolve("c.json"), json));
    }

    @Test
    void whatJupyterWritesIsRead() throws IOException {
        var file =
                read(
                        """
                        {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5,
                         "ip": "127.0.0.1", "key": "k", "transport": "tcp",
                         "signature_scheme": "hmac-sha256", "kernel_name": "meshbook"}
                        """);
        assertThat(file.port(Channel.HEARTBEAT)).isEqualTo(5);
        assertThat(file.key()).isEqualTo("k");
    }

    @Test
    void whatCannotBeUsedIsSaidInOneLine() {
        assertThatThrownBy(() -> ConnectionFile.read(folder.resolve("none.json")))
                .hasMessageContaining("no connection file at");
        assertThatThrownBy(() -> read("{nope")).hasMessageContaining("is no JSON");
        assertThatThrownBy(() -> read("{\"shell_port\": 1}")).hasMessageContaining("port of");
        assertThatThrownBy(() -> read("{\"transport\": \"pigeon\"}"))
                .hasMessageContaining("'pigeon'");
    }

    @Test
    void aBusyPortIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Map<Channel, Integer> ports = new EnumMap<>(Channel.class);
            for (var channel : Channel.values()) {
                ports.put(channel, channel == Channel.IOPUB ? taken.getLocalPort() : 0);
            }
            var file = new ConnectionFile("tcp", "127.0.0.1", ports, "hmac-sha256", "");
            assertThatThrownBy(() -> KernelSockets.bind(file))
                    .isInstanceOf(ConnectionFile.Unusable.class)
                    .hasMessageContaining("iopub")
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
    }
}
