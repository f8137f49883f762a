package org.meshbook.magics.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks for Jupyter, and for our kernel in the folders where Jupyter looks for kernels.
final class JupyterCheck {
    private static final String KERNEL = "kernels/meshbook/kernel.json";

    private JupyterCheck() {}

    static List<Finding> findings() {
        return List.of(jupyter(), kernelspec());
    }

    private static Finding jupyter() {
        var found = MachineCheck.program("jupyter-lab").or(() -> MachineCheck.program("jupyter"));
        return found.map(file -> Finding.ok("jupyter", file.toString()))
                .orElseGet(
                        () ->
                                Finding.warn(
                                        "jupyter",
                                        "none on the PATH",
                                        "only for work in a browser: pip install jupyterlab"));
    }

    private static Finding kernelspec() {
        for (var folder : dataFolders()) {
            var spec = folder.resolve(KERNEL);
            if (Files.isRegularFile(spec)) {
                return judged(spec);
            }
        }
        return Finding.warn(
                "kernelspec", "not installed", "for Jupyter: ./meshbook install --user");
    }

    private static Finding judged(Path spec) {
        try {
            var launcher = System.getProperty("meshbook.launcher", "");
            return Files.readString(spec).contains(launcher)
                    ? Finding.ok("kernelspec", spec.toString())
                    : Finding.warn(
                            "kernelspec",
                            spec + " starts another Meshbook",
                            "to start this one: ./meshbook install --user");
        } catch (IOException e) {
            return Finding.warn(
                    "kernelspec",
                    "cannot read " + spec + ": " + e.getMessage(),
                    "write it again: ./meshbook install --user");
        }
    }

    /// Source: `jupyter --paths`, in its order.
    private static List<Path> dataFolders() {
        var folders = new ArrayList<Path>();
        for (var folder : variable("JUPYTER_PATH").orElse("").split(File.pathSeparator)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        var home = Path.of(System.getProperty("user.home"));
        folders.add(
                variable("JUPYTER_DATA_DIR")
                        .map(Path::of)
                        .orElse(
                                System.getProperty("os.name").startsWith("Mac")
                                        ? home.resolve("Library/Jupyter")
                                        : variable("XDG_DATA_HOME")
                                                .map(Path::of)
                                                .orElse(home.resolve(".local/share"))
                                                .resolve("jupyter")));
        variable("VIRTUAL_ENV").ifPresent(v -> folders.add(Path.of(v, "share/jupyter")));
        variable("CONDA_PREFIX").ifPresent(v -> folders.add(Path.of(v, "share/jupyter")));
        folders.add(Path.of("/usr/local/share/jupyter"));
        folders.add(Path.of("/usr/share/jupyter"));
        return folders;
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(v -> !v.isBlank());
    }
}
