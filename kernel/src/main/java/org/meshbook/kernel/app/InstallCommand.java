package org.meshbook.kernel.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.kernel.install.InstalledKernel;
import org.meshbook.kernel.install.KernelFolders;
import org.meshbook.kernel.install.KernelName;
import org.meshbook.kernel.install.KernelSpec;
import org.meshbook.kernel.install.KernelTrial;
import org.meshbook.kernel.install.NotInstalled;
import org.meshbook.kernel.install.Profile;
import org.meshbook.kernel.spi.Command;

/// Writes, tries, lists and removes kernelspecs.
final class InstallCommand implements Command {
    private static final String DEFAULT_NAME = "meshbook";
    private static final String DEFAULT_TITLE = "Java (Meshbook)";

    /// A first start may have to build and to make its start-up cache.
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @Override
    public String name() {
        return "install";
    }

    @Override
    public String summary() {
        return "makes the kernel known to Jupyter; --check tries it";
    }

    @Override
    public int run(List<String> arguments) throws InterruptedException {
        var read =
                new Options(name(), summary())
                        .flag("--user", "for this user (the default)")
                        .flag("--sys-prefix", "for the active Python environment")
                        .value("--prefix", "DIR", "for the installation at DIR, as /usr/local")
                        .value("--name", "NAME", "what to start it by; default " + DEFAULT_NAME)
                        .value("--display-name", "TEXT", "what a person sees")
                        .value("--profile", "PROFILE", Profile.all())
                        .values("--jvm-arg", "ARG", "one more option for Java; may be repeated")
                        .flag("--check", "starts what was written once, as Jupyter would")
                        .flag("--list", "shows the kernels that Jupyter finds here, and ends")
                        .flag("--uninstall", "removes what was written")
                        .read(arguments);
        if (read.isEmpty()) {
            return 0;
        }
        var given = read.get();
        try {
            if (given.has("--list")) {
                return list(given);
            }
            var kernels = kernels(given);
            var name = new KernelName(given.value("--name").orElse(DEFAULT_NAME));
            return given.has("--uninstall") ? remove(kernels, name) : install(given, kernels, name);
        } catch (NotInstalled e) {
            System.err.println("meshbook: install: " + e.getMessage());
            return 1;
        }
    }

    private int install(Options.Given given, Path kernels, KernelName name)
            throws InterruptedException {
        // 1. settle what is to be started  2. write  3. say what was written  4. try it
        var profile = given.value("--profile").map(Profile::named).orElse(Profile.BALANCED);
        var options =
                Stream.concat(profile.arguments().stream(), given.values("--jvm-arg").stream())
                        .toList();
        Launch.check(options);
        var command = Stream.concat(Launch.command(options).stream(), Stream.of("kernel")).toList();
        var spec = new KernelSpec(name, title(given, name, profile), command, environment());
        var file = spec.install(kernels);
        System.out.println("wrote " + file);
        System.out.println("it starts " + typed(command));
        hidden(file, name).ifPresent(System.out::println);
        if (given.has("--check")) {
            check(file);
        }
        System.out.println(
                "choose '%s' in JupyterLab, or start it by: jupyter console --kernel %s"
                        .formatted(spec.displayName(), name));
        return 0;
    }

    private static String typed(List<String> command) {
        return command.stream()
                .map(word -> word.matches(".*[\\s'\"$&;].*") ? "'" + word + "'" : word)
                .collect(Collectors.joining(" "));
    }

    private static String title(Options.Given given, KernelName name, Profile profile) {
        return given.value("--display-name")
                .orElseGet(
                        () ->
                                name.text().equals(DEFAULT_NAME)
                                        ? profile == Profile.BALANCED
                                                ? DEFAULT_TITLE
                                                : "Java (Meshbook, %s)".formatted(profile.word())
                                        : "Java (%s)".formatted(name));
    }

    /// A front end that a desktop started has no `JAVA_HOME`; the launcher looks there first, and
    /// elsewhere if it is gone.
    private static Map<String, String> environment() {
        return Map.of("JAVA_HOME", System.getProperty("java.home"));
    }

    /// Jupyter takes the first of a name; what lies behind another is never started.
    private static Optional<String> hidden(Path file, KernelName name) {
        for (var folder : KernelFolders.here().all()) {
            var found = folder.resolve(name.text()).resolve("kernel.json").toAbsolutePath();
            if (found.normalize().equals(file)) {
                return Optional.empty();
            }
            if (Files.exists(found)) {
                return Optional.of(
                        "note: Jupyter takes %s before it; remove that, or install by another --name"
                                .formatted(found));
            }
        }
        return Optional.of(
                "note: a Jupyter of another place finds it by JUPYTER_PATH=%s"
                        .formatted(file.resolve("../../..").normalize()));
    }

    private static void check(Path file) throws InterruptedException {
        var trial = KernelTrial.run(file, PATIENCE);
        System.out.println(
                "checked: answers after %s, 1 + 1 is 2 after %s, gone %s after shutdown"
                        .formatted(
                                text(trial.answered()),
                                text(trial.computed()),
                                text(trial.ended())));
    }

    private static String text(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1000.0);
    }

    private static int remove(Path kernels, KernelName name) {
        var file = kernels.resolve(name.text()).resolve("kernel.json").toAbsolutePath();
        var there = InstalledKernel.read(file);
        if (there.isEmpty()) {
            throw new NotInstalled(
                    "there is no kernel '%s' in '%s'; --list shows where they are"
                            .formatted(name, kernels));
        }
        there.get().remove();
        System.out.println("removed " + file.getParent());
        return 0;
    }

    private static int list(Options.Given given) {
        var folders =
                given.has("--sys-prefix") || given.has("--prefix")
                        ? List.of(kernels(given))
                        : KernelFolders.here().all();
        var found =
                folders.stream()
                        .flatMap(InstallCommand::kernelsIn)
                        .filter(InstalledKernel::ours)
                        .toList();
        for (var kernel : found) {
            System.out.println(
                    "%s  %s  %s%s"
                            .formatted(
                                    kernel.name(),
                                    kernel.displayName(),
                                    kernel.file(),
                                    kernel.fault().map(f -> "  (broken: " + f + ")").orElse("")));
        }
        if (found.isEmpty()) {
            System.out.println("none; install writes one");
        }
        return 0;
    }

    private static Stream<InstalledKernel> kernelsIn(Path folder) {
        try (var names = Files.list(folder)) {
            return names
                    .sorted()
                    .flatMap(each -> InstalledKernel.read(each.resolve("kernel.json")).stream())
                    .toList()
                    .stream();
        } catch (IOException e) {
            return Stream.empty(); // Jupyter passes over what it cannot read, too
        }
    }

    private static Path kernels(Options.Given given) {
        var prefix = given.value("--prefix");
        var places =
                (given.has("--user") ? 1 : 0)
                        + (given.has("--sys-prefix") ? 1 : 0)
                        + (prefix.isPresent() ? 1 : 0);
        if (places > 1) {
            throw new CommandLineError(
                    "install: give one of --user, --sys-prefix and --prefix, not " + places);
        }
        if (prefix.isPresent()) {
            return KernelFolders.under(folder(prefix.get()));
        }
        return given.has("--sys-prefix")
                ? KernelFolders.here().active(InstallCommand::python)
                : KernelFolders.here().user();
    }

    private static Path folder(String typed) {
        try {
            if (!typed.isBlank()) {
                return Path.of(typed).toAbsolutePath().normalize();
            }
        } catch (InvalidPathException e) {
            throw new CommandLineError("install: --prefix: " + e.getMessage());
        }
        throw new CommandLineError("install: --prefix names no folder");
    }

    /// Asks the Python on the PATH for its prefix.
    private static Optional<Path> python() {
        for (var program : List.of("python3", "python")) {
            try {
                var process =
                        new ProcessBuilder(program, "-c", "import sys; print(sys.prefix)")
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
                process.getOutputStream().close();
                var said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
                if (process.waitFor(10, TimeUnit.SECONDS)
                        && process.exitValue() == 0
                        && !said.isEmpty()) {
                    return Optional.of(Path.of(said));
                }
            } catch (IOException e) {
                continue; // there is no such program
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
