package org.meshbook.kernel.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// What starts this program again.
final class Launch {
    private static final long PATIENCE_SECONDS = 20;

    private Launch() {}

    /// @param options more options for its Java
    /// @return the launcher's script, or this Java with this class path if there was none; all
    ///   paths are absolute, and are there
    /// @throws CommandLineError if something is not there
    static List<String> command(List<String> options) {
        var command = new ArrayList<String>();
        var launcher = launcher();
        if (launcher.isPresent()) {
            command.add(there(launcher.get(), "the launcher").toString());
            options.forEach(option -> command.add("--jvm-arg=" + option));
            return command;
        }
        command.add(java().toString());
        if (options.stream().noneMatch(Launch::choosesCollector)) {
            command.add("-XX:+UseSerialGC");
        }
        // A small heap at first: by itself Java would fill a 64th of the machine with garbage.
        if (options.stream().noneMatch(option -> option.startsWith("-Xm"))) {
            command.add("-Xms64m");
        }
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        var path = absolute(System.getProperty("java.class.path"));
        var jar = !path.contains(File.pathSeparator) && path.endsWith(".jar");
        command.addAll(jar ? List.of("-jar", path) : List.of("-cp", path, Main.class.getName()));
        return command;
    }

    /// @return the script that started this process
    static Optional<Path> launcher() {
        return Optional.ofNullable(System.getProperty("meshbook.launcher"))
                .or(() -> Optional.ofNullable(System.getenv("MESHBOOK_LAUNCHER")))
                .map(Path::of);
    }

    /// @return this process' Java
    static Path java() {
        var windows = File.separatorChar == '\\';
        return Path.of(System.getProperty("java.home"), "bin", windows ? "java.exe" : "java");
    }

    /// Lets Java read its options, which it does before anything of ours runs.
    ///
    /// @param options for Java
    /// @throws CommandLineError if it refuses them
    static void check(List<String> options) throws InterruptedException {
        for (var option : options) {
            if (!option.startsWith("-") && !option.startsWith("@")) {
                throw new CommandLineError(
                        "install: '"
                                + option
                                + "' is no option of Java; give it as --jvm-arg=-Xmx2g");
            }
        }
        if (options.isEmpty()) {
            return;
        }
        var command = new ArrayList<>(List.of(java().toString()));
        command.addAll(options);
        command.add("-version");
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            } else if (process.exitValue() != 0) {
                throw new CommandLineError(
                        "install: Java refuses "
                                + String.join(" ", options)
                                + ": "
                                + said.stream().findFirst().orElse("it does not say why"));
            }
        } catch (IOException e) {
            throw new CommandLineError("install: Java cannot be started: " + e.getMessage());
        }
    }

    private static boolean choosesCollector(String option) {
        return option.matches("-XX:\\+Use\\w*GC");
    }

    private static Path there(Path path, String what) {
        var absolute = path.toAbsolutePath().normalize();
        if (!Files.isExecutable(absolute)) {
            throw new CommandLineError(
                    "install: " + what + " is not at '" + absolute + "'; call it by its real path");
        }
        return absolute;
    }

    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                Arrays.stream(classPath.split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }
}
