package org.meshbook.kernel.install;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/// Where Jupyter looks for kernels.
///
/// Source: https://docs.jupyter.org/en/latest/use/jupyter-directories.html
///
/// @param environment variables of this process
/// @param home the user's folder
/// @param system name of the operating system, as `os.name` says it
public record KernelFolders(Map<String, String> environment, Path home, String system) {
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

    /// @return the one of the active virtual or conda environment
    /// @throws NotInstalled if none is active
    public Path active() {
        for (var name : new String[] {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
            var prefix = environment.getOrDefault(name, "");
            if (!prefix.isEmpty()) {
                return under(Path.of(prefix));
            }
        }
        throw new NotInstalled(
                "--sys-prefix needs an active Python environment, and neither VIRTUAL_ENV nor"
                        + " CONDA_PREFIX is set; activate one, or use --user or --prefix DIR");
    }

    /// @param prefix of an installation, as `/usr/local`
    /// @return its folder
    public static Path under(Path prefix) {
        return prefix.resolve("share").resolve("jupyter").resolve("kernels");
    }

    private Path data() {
        var given = environment.getOrDefault("JUPYTER_DATA_DIR", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        var os = system.toLowerCase(Locale.ROOT);
        if (os.contains("mac")) {
            return home.resolve("Library").resolve("Jupyter");
        }
        if (os.contains("windows")) {
            var roaming = environment.getOrDefault("APPDATA", "");
            return (roaming.isEmpty() ? home : Path.of(roaming)).resolve("jupyter");
        }
        var shared = environment.getOrDefault("XDG_DATA_HOME", "");
        var base = shared.isEmpty() ? home.resolve(".local").resolve("share") : Path.of(shared);
        return base.resolve("jupyter");
    }
}
