package org.meshbook.kernel.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.function.Supplier;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.console.Console;
import org.meshbook.kernel.console.Front;
import org.meshbook.kernel.console.Looks;
import org.meshbook.kernel.console.PlainFront;
import org.meshbook.kernel.console.line.TerminalFront;
import org.meshbook.kernel.history.History;
import org.meshbook.kernel.history.HistorySession;
import org.meshbook.kernel.spi.Command;

/// The console: what `meshbook` without a command does.
final class ConsoleCommand implements Command {
    private static final System.Logger LOG = System.getLogger(ConsoleCommand.class.getName());

    private final Supplier<CellEngine> engines;
    private final Terminal terminal;

    ConsoleCommand(Supplier<CellEngine> engines, Terminal terminal) {
        this.engines = engines;
        this.terminal = terminal;
    }

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String summary() {
        return "reads cells from the terminal; also without a command";
    }

    @Override
    public int run(List<String> arguments) throws IOException {
        if (new Options(name(), summary()).read(arguments).isEmpty()) {
            return 0;
        }
        System.setProperty(KernelCommand.SESSION_NAME, "console");
        var engine = engines.get();
        var hook = Thread.ofPlatform().name("meshbook-stop").unstarted(() -> engine.close(false));
        Runtime.getRuntime().addShutdownHook(hook);
        // What a pipe feeds is nobody's to be found again.
        try (var history = terminal.person() ? History.ofUser() : History.none()) {
            return run(engine, history.begin());
        } finally {
            terminal.forget(hook);
            engine.close(false);
        }
    }

    private int run(CellEngine engine, HistorySession session) throws IOException {
        try (var front = front(engine, session)) {
            var console = new Console(engine, front, session);
            if (front instanceof TerminalFront person) {
                person.onInterrupt(console::interrupt);
            } else if (front.looks().person()) {
                Signals.onInterrupt(console::interrupt);
            }
            if (front.looks().person()) {
                welcome(front);
            }
            return console.run();
        }
    }

    private static void welcome(Front front) {
        front.print(
                "Meshbook %s, Java %s; Tab completes, %%help helps, Ctrl-C stops a cell, Ctrl-D leaves%n"
                        .formatted(Version.meshbook(), Version.java()));
    }

    /// Lines can be edited only where the cursor can be moved.
    private Front front(CellEngine engine, HistorySession session) {
        var type = System.getenv().getOrDefault("TERM", "");
        var windows = System.getProperty("os.name").startsWith("Windows");
        if (terminal.person() && !type.equals("dumb") && (windows || !type.isEmpty())) {
            try {
                return TerminalFront.open(engine, session, System.getenv());
            } catch (IOException | IllegalStateException e) {
                LOG.log(System.Logger.Level.DEBUG, "plain console", e);
            }
        }
        var in =
                new BufferedReader(
                        new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
        var looks = new Looks(terminal.person(), 0, 80);
        return new PlainFront(engine, in, terminal.out(), looks);
    }
}
