package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.meshbook.kernel.jshell.Shell;

/// Builds JShell, evaluates the start-up code and warms the paths of the first cell, on a thread of
/// its own, while the extensions are still loaded.
final class Startup {
    /// The first of the imports names them all for JShell, so that a cell which imports the same
    /// takes all away: it is one that imports nothing and that nobody writes.
    static final List<String> IMPORTS =
            List.of(
                    "import static java.lang.annotation.Documented.*;",
                    "import module java.base;",
                    "import static org.meshbook.kernel.display.Display.*;");

    private static final Duration REST = Duration.ofSeconds(1);

    /// Kept, because a logger that nobody holds forgets its level.
    private static final Logger OURS = Logger.getLogger("org.meshbook");

    /// A reader of Parquet that tells each process which instructions it found.
    private static final Logger PARQUET = Logger.getLogger("dev.hardwood");

    private final List<String> failures = new ArrayList<>();
    private final CompletableFuture<List<String>> lines = new CompletableFuture<>();
    private final FutureTask<Shell> building = new FutureTask<>(this::build);
    private volatile BooleanSupplier busy = () -> true;
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean wanted;

    private Startup() {}

    static Startup begin() {
        var startup = new Startup();
        var thread = new Thread(startup::work, "jshell-startup");
        thread.setDaemon(true);
        thread.start();
        return startup;
    }

    /// Gives what JShell waits for.
    ///
    /// @param code start-up code, one snippet an entry
    /// @param busy whether a cell is running
    void complete(List<String> code, BooleanSupplier busy) {
        this.busy = busy;
        lines.complete(List.copyOf(code));
    }

    /// @return the shell, after its start-up code
    Shell shell() {
        wanted = true;
        return built();
    }

    private Shell built() {
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

    private void work() {
        building.run();
        try {
            built().settle();
            warm(built());
            settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Shell build() throws InterruptedException, ExecutionException {
        var shell = new Shell();
        var code = new ArrayList<>(IMPORTS);
        code.addAll(lines.get());
        var imports = code.stream().takeWhile(line -> line.startsWith("import ")).toList();
        // JShell takes several imports as one snippet, and compiles once; each alone costs as much.
        var together = shell.eval(String.join("\n", imports), null, null);
        var done = together.errors().isEmpty() ? imports.size() : 0;
        code.stream().skip(done).forEach(line -> evaluate(shell, line));
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

    /// Goes the way of a first cell, unless one waits already: it warms by itself, and must not
    /// wait for this.
    private void warm(Shell shell) throws InterruptedException {
        // Logging would keep the streams that it finds; here they are the cells' already.
        for (var talkative : List.of(OURS, PARQUET)) {
            if (talkative.getLevel() == null) {
                talkative.setLevel(Level.WARNING);
            }
        }
        Logger.getLogger("").getHandlers();
        if (!wanted) {
            var unused = shell.eval("1 + 1", null, null);
        }
        if (wanted) {
            awaitRest();
        }
        shell.ask(analysis -> analysis.completionSuggestions("System.o", 8, new int[1]));
        // The first documentation opens the JDK's sources, which takes longer than a cell.
        awaitRest();
        shell.ask(analysis -> analysis.documentation("Math.max(", 9, true));
    }

    /// Starting leaves four times as much garbage as it keeps: without this, memory that no cell
    /// needs would stay taken until the first collection of its own.
    private void settle() throws InterruptedException {
        awaitRest();
        System.gc();
    }

    private void awaitRest() throws InterruptedException {
        do {
            if (never.await(REST.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } while (busy.getAsBoolean());
    }
}
