package org.meshbook.kernel.session;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.ScriptedEngine;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.ConnectionFile;
import org.meshbook.kernel.wire.KernelSockets;

/// A session behind real sockets, with a scripted engine and a front end that is welcome.
final class ServedSession implements AutoCloseable {
    static final String KEY = "secret";

    final ScriptedEngine engine = new ScriptedEngine();
    final CompletableFuture<CellEngine> engines = new CompletableFuture<>();
    final KernelSockets sockets = KernelSockets.bind(anywhere());
    final KernelSession session =
            new KernelSession(sockets, engines, new KernelSession.About("1", "25", Map.of()));
    final JupyterClient client = new JupyterClient(sockets, KEY);

    /// @param ready whether the engine is there from the beginning
    ServedSession(boolean ready) {
        if (ready) {
            engines.complete(engine);
        }
        session.start();
        sockets.serve(session);
        // A subscription takes effect when it arrives; nothing may be sent before.
        client.published("", message -> message.type().equals("iopub_welcome"));
    }

    static ConnectionFile anywhere() {
        var ports = new HashMap<Channel, Integer>();
        for (var channel : Channel.values()) {
            ports.put(channel, 0);
        }
        return new ConnectionFile("tcp", "127.0.0.1", ports, "hmac-sha256", KEY);
    }

    @Override
    public void close() {
        engine.release();
        session.end();
        client.close();
        sockets.close();
    }
}
