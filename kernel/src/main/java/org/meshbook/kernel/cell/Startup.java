package org.meshbook.kernel.cell;

import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.Extension;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Builds JShell, evaluates the start-up code and warms the paths of the first cell, on a thread of
/// its own.
final class Startup {
    private static final List<String> IMPORTS =
            List.of(
                    "import module java.base;",
                    "import static org.meshbook.kernel.display.Display.*;");

    /// Kept, because a logger that nobody holds forgets its level.
    private static final Logger OURS = Logger.getLogger("org.meshbook");

    private final List<String> failures = new ArrayList<>();
    private final FutureTask<Shell> building;

    private Startup(List<Extension> extensions) {
        building = new FutureTask<>(() -> build(extensions));
    }

    static Startup begin(List<Extension> extensions) {
        var startup = new Startup(extensions);
        var thread =
                new Thread(
                        () -> {
                            startup.building.run();
                            startup.warm();
                        },
                        "jshell-startup");
        thread.setDaemon(true);
        thread.start();
        return startup;
    }

    /// @return the shell, after its start-up code
    Shell shell() {
        var interrupted = false;
        try {
            while (true) {
                try {
                    return building.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("JShell could not be started", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// @return lines that say what of the start-up code failed; handed out once
    List<String> takeFailures() {
        synchronized (failures) {
            var taken = List.copyOf(failures);
            failures.clear();
            return taken;
        }
    }

    private Shell build(List<Extension> extensions) {
        var shell = new Shell();
        IMPORTS.forEach(line -> evaluate(shell, line));
        extensions.forEach(e -> e.startup().forEach(line -> evaluate(shell, line)));
        return shell;
    }

    /// Evaluates what an extension brings that came later.
    void evaluate(List<String> lines) {
        lines.forEach(line -> evaluate(shell(), line));
    }

    private void evaluate(Shell shell, String line) {
        var evaluated = shell.eval(line, null, null);
        var thrown = evaluated.thrown();
        if (thrown != null || !evaluated.errors().isEmpty()) {
            var why =
                    thrown != null
                            ? thrown.toString()
                            : evaluated.errors().getFirst().getMessage(Locale.ROOT);
            synchronized (failures) {
                failures.add("start-up code failed: %s: %s".formatted(line, why));
            }
        }
    }

    private void warm() {
        // Logging would keep the streams that it finds; here they are the cells' already.
        if (OURS.getLevel() == null) {
            OURS.setLevel(Level.WARNING);
        }
        Logger.getLogger("").getHandlers();
        var shell = shell();
        var unused = shell.eval("1 + 1", null, null);
        shell.ask(analysis -> analysis.completionSuggestions("System.o", 8, new int[1]));
    }
}
