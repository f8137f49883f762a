package org.meshbook.kernel.app;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.kernel.install.KernelName;
import org.meshbook.kernel.install.KernelSpec;
import org.meshbook.kernel.install.NotInstalled;
import org.meshbook.kernel.spi.Command;

/// Opens JupyterLab on the notebooks, with this kernel there for as long as it runs.
final class LabCommand implements Command {
    private static final String MISSING =
            "there is no jupyter-lab on the PATH; get it by 'pip install jupyterlab', or open a"
                    + " notebook without it: ./meshbook run NOTEBOOK";
    private static final String HELP =
            """
            Usage: meshbook lab [FOLDER or NOTEBOOK] [JUPYTER OPTION]...
            opens JupyterLab on the notebooks, with this kernel; Ctrl-C ends it

            Without a folder or a notebook it opens the folder 'notebooks' beside the launcher.
            Other words go to JupyterLab as they are, as --no-browser or --port=8890;
            'jupyter lab --help' lists them.
            """;

    private final Terminal terminal;

    LabCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public String name() {
        return "lab";
    }

    @Override
    public String summary() {
        return "opens JupyterLab on the notebooks, with this kernel";
    }

    @Override
    public int run(List<String> arguments) throws InterruptedException {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            terminal.out().print(HELP);
            return 0;
        }
        // 1. the program  2. a kernelspec of its own  3. run it on this terminal  4. tidy up
        var program = program().orElseThrow(() -> new NotInstalled(MISSING));
        try {
            var prefix = Files.createTempDirectory("meshbook-lab"); // 0700
            try {
                return run(program, prefix, arguments);
            } finally {
                remove(prefix);
            }
        } catch (IOException e) {
            throw new NotInstalled(String.valueOf(e.getMessage()));
        }
    }

    private static int run(List<String> program, Path prefix, List<String> arguments)
            throws IOException, InterruptedException {
        var kernel = Stream.concat(Launch.command(List.of()).stream(), Stream.of("kernel"));
        var spec =
                new KernelSpec(
                        new KernelName("meshbook"), "Java (Meshbook)", kernel.toList(), Map.of());
        var data = prefix.resolve("jupyter");
        spec.install(data.resolve("kernels"));

        var command = new ArrayList<>(program);
        command.addAll(arguments);
        if (arguments.stream().allMatch(word -> word.startsWith("-"))) {
            notebooks().map(Path::toString).ifPresent(command::add);
        }
        var builder = new ProcessBuilder(command).inheritIO();
        builder.environment()
                .merge(
                        "JUPYTER_PATH",
                        data.toString(),
                        (old, ours) -> ours + File.pathSeparator + old);
        var lab = builder.start();
        // The terminal sends Ctrl-C to both; JupyterLab asks back, and we end when it does.
        Signals.onInterrupt(() -> {});
        var hook = Thread.ofPlatform().name("meshbook-stop").unstarted(lab::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
        return lab.waitFor();
    }

    /// The folder beside the launcher; where there is none, JupyterLab takes the current one.
    private static Optional<Path> notebooks() {
        return Launch.launcher()
                .map(launcher -> launcher.resolveSibling("notebooks"))
                .filter(Files::isDirectory);
    }

    private static Optional<List<String>> program() {
        return found("jupyter-lab")
                .map(List::of)
                .or(() -> found("jupyter").flatMap(LabCommand::subcommand));
    }

    /// `jupyter` alone need not have a `lab`.
    private static Optional<List<String>> subcommand(String jupyter) {
        try {
            var asked =
                    new ProcessBuilder(jupyter, "lab", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return asked.waitFor() == 0 ? Optional.of(List.of(jupyter, "lab")) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<String> found(String name) {
        var ending = File.separatorChar == '\\' ? ".exe" : "";
        var path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name + ending))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .map(Path::toString)
                .findFirst();
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
