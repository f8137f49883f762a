package org.meshbook.kernel.app;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.history.History;
import org.meshbook.kernel.session.KernelSession;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.wire.Channel;
import org.meshbook.kernel.wire.ConnectionFile;
import org.meshbook.kernel.wire.KernelSockets;
import org.meshbook.kernel.wire.Registration;

/// Serves one front end until it says shutdown or is gone.
final class KernelCommand implements Command {
    /// What tables of sessions call this process; extensions read it.
    static final String SESSION_NAME = "meshbook.session.name";

    private final Supplier<CellEngine> engines;

    KernelCommand(Supplier<CellEngine> engines) {
        this.engines = engines;
    }

    @Override
    public String name() {
        return "kernel";
    }

    @Override
    public String summary() {
        return "serves a Jupyter front end; what the kernelspec runs";
    }

    @Override
    public int run(List<String> arguments) throws InterruptedException {
        var file = file(arguments);
        if (file.isEmpty()) {
            return 0;
        }
        System.setProperty(SESSION_NAME, "kernel");
        try {
            serve(Path.of(file.get()));
        } catch (ConnectionFile.Unusable e) {
            throw new CommandLineError("kernel: " + e.getMessage());
        }
        return 0;
    }

    private void serve(Path file) throws InterruptedException {
        var err = System.err;
        // 1. start the engine beside  2. bind  3. serve  4. say where, if asked
        // 5. wait for the end  6. last words
        var engine = new FutureTask<CellEngine>(engines::get);
        Thread.ofPlatform().daemon().name("meshbook-engine").start(engine);
        var registration = Registration.find(file);
        var connection =
                registration.isPresent()
                        ? registration.get().connection()
                        : ConnectionFile.read(file);
        try (var sockets = KernelSockets.bind(connection)) {
            var about = new KernelSession.About(Version.meshbook(), Version.java(), ports(sockets));
            var session = new KernelSession(sockets, engine, about, History.ofUser());
            session.start();
            sockets.serve(session);
            OwnLog.to(err);
            if (registration.isPresent()) {
                registration.get().register(sockets);
                registration.get().writeConnectionFile(file, sockets).toFile().deleteOnExit();
            }
            Signals.onInterrupt(session::interrupt);
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("meshbook-stop").unstarted(session::end));
            ParentWatch.start(session::end);
            session.awaitEnd();
        }
    }

    /// A front end gives nothing but the file: reading options would cost it a tenth of a second.
    private Optional<String> file(List<String> arguments) {
        if (arguments.size() == 1 && !arguments.getFirst().startsWith("-")) {
            return Optional.of(arguments.getFirst());
        }
        return new Options(name(), summary())
                .argument("FILE", "the connection file")
                .read(arguments)
                .map(Options.Given::argument);
    }

    private static Map<String, Integer> ports(KernelSockets sockets) {
        var ports = new LinkedHashMap<String, Integer>();
        ports.put("shell_port", sockets.port(Channel.SHELL));
        ports.put("control_port", sockets.port(Channel.CONTROL));
        ports.put("stdin_port", sockets.port(Channel.STDIN));
        ports.put("iopub_port", sockets.port(Channel.IOPUB));
        ports.put("hb_port", sockets.port(Channel.HEARTBEAT));
        return ports;
    }
}
