package org.meshbook.kernel.app;

import java.nio.file.Path;
import java.util.List;
import org.meshbook.kernel.install.KernelFolders;
import org.meshbook.kernel.install.KernelSpec;
import org.meshbook.kernel.install.NotInstalled;
import org.meshbook.kernel.spi.Command;

/// Writes the kernelspec.
final class InstallCommand implements Command {
    private static final String DEFAULT_NAME = "meshbook";

    @Override
    public String name() {
        return "install";
    }

    @Override
    public String summary() {
        return "makes the kernel known to Jupyter";
    }

    @Override
    public int run(List<String> arguments) {
        var read =
                new Options(name(), summary())
                        .flag("--user", "for this user (the default)")
                        .flag("--sys-prefix", "for the active Python environment")
                        .value("--prefix", "DIR", "for the installation at DIR, as /usr/local")
                        .value("--name", "NAME", "what to start it by; default " + DEFAULT_NAME)
                        .read(arguments);
        if (read.isEmpty()) {
            return 0;
        }
        var given = read.get();
        try {
            var spec = new KernelSpec(given.value("--name").orElse(DEFAULT_NAME), Launch.command());
            var file = spec.install(kernels(given));
            System.out.println("wrote " + file);
            System.out.println(
                    "choose 'Java (Meshbook)' in JupyterLab, or start it by: jupyter console"
                            + " --kernel "
                            + spec.name());
            return 0;
        } catch (NotInstalled e) {
            System.err.println("meshbook: " + e.getMessage());
            return 1;
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
            return KernelFolders.under(Path.of(prefix.get()));
        }
        return given.has("--sys-prefix")
                ? KernelFolders.here().active()
                : KernelFolders.here().user();
    }
}
