package org.meshbook.kernel.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.notebook.Notebook;
import org.meshbook.kernel.notebook.NotebookRun;
import org.meshbook.kernel.notebook.NotebookUnusable;
import org.meshbook.kernel.notebook.RunReport;
import org.meshbook.kernel.spi.Command;

/// Runs a notebook without Python: 0 if no cell failed, 1 if one did, 2 if there is nothing to run,
/// 130 after Ctrl-C.
final class RunCommand implements Command {
    private final Supplier<CellEngine> engines;
    private final Terminal terminal;

    RunCommand(Supplier<CellEngine> engines, Terminal terminal) {
        this.engines = engines;
        this.terminal = terminal;
    }

    @Override
    public String name() {
        return "run";
    }

    @Override
    public String summary() {
        return "runs a notebook and prints each cell and its output";
    }

    @Override
    public int run(List<String> arguments) {
        var read =
                new Options(name(), summary())
                        .argument("NOTEBOOK", "an .ipynb file")
                        .value("--output", "FILE", "writes the notebook with its outputs")
                        .value("--json", "OUT", "writes what each cell did as JSON")
                        .read(arguments);
        if (read.isEmpty()) {
            return 0;
        }
        var given = read.get();
        var file = typed(given.argument());
        var output = given.value("--output").map(RunCommand::typed);
        var json = given.value("--json").map(RunCommand::typed);
        try {
            // 1. read, and see that the results can be kept  2. run  3. keep them  4. judge
            var notebook = Notebook.read(file);
            output.ifPresent(RunCommand::checkPlace);
            json.ifPresent(RunCommand::checkPlace);
            var report = run(file, notebook);
            output.ifPresent(notebook::write);
            json.ifPresent(report::write);
            return judge(report);
        } catch (NotebookUnusable e) {
            throw new CommandLineError("run: " + e.getMessage());
        }
    }

    private RunReport run(Path file, Notebook notebook) {
        System.setProperty(KernelCommand.SESSION_NAME, "run " + file.getFileName());
        var engine = engines.get();
        var closed = new AtomicBoolean();
        Runnable close =
                () -> {
                    if (closed.compareAndSet(false, true)) {
                        engine.interrupt();
                        engine.close(false);
                    }
                };
        // Ctrl-C and a polite kill end the JVM through its hooks, with 130 or 143.
        Runnable stop =
                () -> {
                    terminal.complain("stopped");
                    close.run();
                };
        var hook = Thread.ofPlatform().name("meshbook-stop").unstarted(stop);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return new NotebookRun(
                            file, notebook, engine, terminal.screen(), InstantSource.system())
                    .run();
        } finally {
            close.run();
            terminal.forget(hook);
        }
    }

    private int judge(RunReport report) {
        Optional<RunReport.Failed> failure = report.failure();
        failure.ifPresent(
                failed ->
                        terminal.complain(
                                "cell "
                                        + failed.number()
                                        + " of "
                                        + report.total()
                                        + " failed: "
                                        + failed.name()
                                        + ": "
                                        + failed.message().lines().findFirst().orElse("")));
        return failure.isPresent() ? 1 : 0;
    }

    /// The launcher enters the notebook's folder, so that cells find the files beside it, as they
    /// do in Jupyter; paths were typed in the folder that it came from.
    private static Path typed(String path) {
        return Path.of(System.getProperty("meshbook.typed.in", "")).resolve(path);
    }

    private static void checkPlace(Path file) {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandLineError(
                    "run: cannot write '" + file + "': there is no folder '" + folder + "'");
        }
        if (Files.isDirectory(file)) {
            throw new CommandLineError("run: cannot write '" + file + "': it is a folder");
        }
        if (!Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new CommandLineError("run: cannot write '" + file + "': permission denied");
        }
    }
}
