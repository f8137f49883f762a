package org.meshbook.magics.cli;

import java.util.List;
import org.meshbook.kernel.install.InstalledKernel;
import org.meshbook.kernel.install.KernelFolders;

/// Looks for Jupyter, and for our kernel in the folders where Jupyter looks for kernels.
final class JupyterCheck {
    private static final String KERNEL = "meshbook/kernel.json";
    private static final String AGAIN = "write it again: ./meshbook install --user --check";

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
        for (var folder : KernelFolders.here().all()) {
            var kernel = InstalledKernel.read(folder.resolve(KERNEL));
            if (kernel.isPresent()) {
                return judged(kernel.get());
            }
        }
        return Finding.warn(
                "kernelspec", "not installed", "for Jupyter: ./meshbook install --user");
    }

    private static Finding judged(InstalledKernel kernel) {
        var file = kernel.file().toString();
        var fault = kernel.fault();
        if (fault.isPresent()) {
            return Finding.warn("kernelspec", file + ": " + fault.get(), AGAIN);
        }
        var launcher = System.getProperty("meshbook.launcher", "");
        // A wheel's is started through its Python.
        var same =
                kernel.command().getFirst().equals(launcher)
                        || kernel.command().contains("meshbook_kernel");
        return same
                ? Finding.ok("kernelspec", file)
                : Finding.warn(
                        "kernelspec",
                        file + " starts " + kernel.command().getFirst(),
                        "to start this Meshbook instead: ./meshbook install --user");
    }
}
