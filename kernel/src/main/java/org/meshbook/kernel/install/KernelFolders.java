package org.meshbook.kernel.install;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Where Jupyter looks for kernels.
///
/// Source: https://docs.jupyter.org/en/latest/use/jupyter-directories.html
///
/// @param environment variables of this process
/// @param home the user's folder
/// @param system name of the operating system, as `os.name` says it
public record KernelFolders(Map<String, String> environment, Path home, String system) {
    private enum Family {
        LINUX,
        MAC,
        WINDOWS
    }

    public KernelFolders {
        environment = Map.copyOf(environment);
    }

    /// @return the folders of this process
    public static KernelFolders here() {
        return new KernelFolders(
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                System.getProperty("os.name"));
    }

    /// @return the user's own
    public Path user() {
        return data().resolve("kernels");
    }

    /// @param python prefix of the Python on the PATH, asked if no environment is active
    /// @return the one of the active virtual or conda environment
    /// @throws NotInstalled if there is none
    public Path active(Supplier<Optional<Path>> python) {
        for (var name : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
            var prefix = folder(name);
            if (prefix.isPresent()) {
                if (!Files.isDirectory(prefix.get())) {
                    throw new NotInstalled(
                            "%s is '%s', which is no folder; activate the environment again, or use --user"
                                    .formatted(name, prefix.get()));
                }
                return under(prefix.get());
            }
        }
        return python.get()
                .map(KernelFolders::under)
                .orElseThrow(
                        () ->
                                new NotInstalled(
                                        "--sys-prefix needs a Python environment: neither"
                                                + " VIRTUAL_ENV nor CONDA_PREFIX is set, and there is"
                                                + " no python on the PATH; activate one, or use --user"
                                                + " or --prefix DIR"));
    }

    /// @param prefix of an installation, as `/usr/local`
    /// @return its folder
    public static Path under(Path prefix) {
        return prefix.resolve("share").resolve("jupyter").resolve("kernels");
    }

    /// @return every folder in which a front end of this environment looks for kernels, first hit
    ///   first
    public List<Path> all() {
        var folders = new ArrayList<Path>();
        var separator = family() == Family.WINDOWS ? ";" : ":";
        Stream.of(environment.getOrDefault("JUPYTER_PATH", "").split(separator))
                .filter(path -> !path.isBlank())
                .forEach(path -> path(path).ifPresent(p -> folders.add(p.resolve("kernels"))));
        // Jupyter prefers the environment when one is active.
        var environments =
                Stream.of("VIRTUAL_ENV", "CONDA_PREFIX")
                        .flatMap(name -> folder(name).stream())
                        .map(KernelFolders::under)
                        .toList();
        folders.addAll(environments);
        folders.add(user());
        switch (family()) {
            case WINDOWS ->
                    folder("PROGRAMDATA")
                            .ifPresent(p -> folders.add(p.resolve("jupyter").resolve("kernels")));
            case LINUX, MAC -> {
                folders.add(under(Path.of("/usr/local")));
                folders.add(under(Path.of("/usr")));
            }
        }
        return folders.stream().distinct().toList();
    }

    private Path data() {
        var given = folder("JUPYTER_DATA_DIR");
        if (given.isPresent()) {
            return given.get();
        }
        return switch (family()) {
            case MAC -> home.resolve("Library").resolve("Jupyter");
            case WINDOWS ->
                    folder("APPDATA")
                            .map(roaming -> roaming.resolve("jupyter"))
                            .orElse(home.resolve(".jupyter").resolve("data"));
            case LINUX ->
                    folder("XDG_DATA_HOME")
                            .orElse(home.resolve(".local").resolve("share"))
                            .resolve("jupyter");
        };
    }

    private Family family() {
        var os = system.toLowerCase(Locale.ROOT);
        if (os.startsWith("mac") || os.startsWith("darwin")) {
            return Family.MAC;
        }
        return os.startsWith("windows") ? Family.WINDOWS : Family.LINUX;
    }

    private Optional<Path> folder(String variable) {
        return path(environment.getOrDefault(variable, ""));
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
