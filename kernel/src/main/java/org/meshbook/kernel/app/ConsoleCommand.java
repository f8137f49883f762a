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
import org.meshbook.kernel.spi.Command;

/// The console: what `meshbook` without a command does.
final class ConsoleCommand implements Command {
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
        var person = terminal.person();
        if (person) {
            terminal.out()
                    .println(
                            "Meshbook "
                                    + Version.meshbook()
                                    + ", Java "
                                    + Version.java()
                                    + "; Ctrl-C stops a cell, Ctrl-D leaves");
        }
        var in =
                new BufferedReader(
                        new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
        var engine = engines.get();
        var hook = Thread.ofPlatform().name("meshbook-stop").unstarted(() -> engine.close(false));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            var console = new Console(engine, in, terminal.out(), person);
            if (person) {
                Signals.onInterrupt(console::interrupt);
            }
            return console.run();
        } finally {
            terminal.forget(hook);
            engine.close(false);
        }
    }
}
