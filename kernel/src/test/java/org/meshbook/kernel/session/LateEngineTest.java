package org.meshbook.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.ScriptedEngine;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.ConnectionFile;
import org.meshbook.kernel.wire.KernelSockets;

/// A session whose engine is slow to start, or does not start; messages are not signed.
@Timeout(60)
class LateEngineTest {
    private final CompletableFuture<CellEngine> engines = new CompletableFuture<>();
    private final KernelSockets sockets = KernelSockets.bind(unsigned());
    private final KernelSession session =
            new KernelSession(sockets, engines, new KernelSession.About("1", "25", Map.of()));
    private final JupyterClient client = new JupyterClient(sockets, "");

    LateEngineTest() {
        session.start();
        sockets.serve(session);
    }

    private static ConnectionFile unsigned() {
        var ports = new HashMap<Channel, Integer>();
        for (var channel : Channel.values()) {
            ports.put(channel, 0);
        }
        return new ConnectionFile("tcp", "127.0.0.1", ports, "hmac-sha256", "");
    }

    @AfterEach
    void end() {
        session.end();
        client.close();
        sockets.close();
    }

    @Test
    void kernelInfoIsAnsweredBeforeTheEngineIsThere() {
        var info = client.send(Channel.SHELL, "kernel_info_request", Map.of());
        var content = client.reply(Channel.SHELL, info).content();
        assertThat(content.path("status").asString()).isEqualTo("ok");
        assertThat(content.at("/language_info/name").asString()).isEqualTo("java");

        var cell = client.execute("result 1");
        engines.complete(new ScriptedEngine());
        assertThat(client.reply(Channel.SHELL, cell).field("status")).isEqualTo("ok");
    }

    @Test
    void anEngineThatDoesNotStartFailsTheCellAndSaysWhy() {
        engines.completeExceptionally(new IllegalStateException("no compiler"));
        var cell = client.execute("result 1");
        assertThat(client.reply(Channel.SHELL, cell).field("evalue")).contains("no compiler");
    }

    @Test
    void shutdownDoesNotWaitForTheEngine() throws InterruptedException {
        client.execute("result 1");
        var id = client.send(Channel.CONTROL, "shutdown_request", Map.of("restart", false));
        assertThat(client.reply(Channel.CONTROL, id).field("status")).isEqualTo("ok");
        session.awaitEnd();
    }

    @Test
    void anInterruptEndsACellThatWaitsForTheEngine() {
        client.published("", message -> message.type().equals("iopub_welcome"));
        var cell = client.execute("result 1");
        var behind = client.execute("result 2");
        // Until the session has seen the cells, an interrupt meets none.
        var busy = client.published(cell, message -> message.type().equals("execute_input"));
        assertThat(busy).isNotEmpty();
        client.send(Channel.CONTROL, "interrupt_request", Map.of());
        assertThat(client.reply(Channel.SHELL, cell).field("ename")).isEqualTo("KeyboardInterrupt");
        assertThat(client.reply(Channel.SHELL, behind).field("status")).isEqualTo("aborted");
        engines.complete(new ScriptedEngine());
        var next = client.execute("result 3");
        assertThat(client.reply(Channel.SHELL, next).field("status")).isEqualTo("ok");
    }
}
