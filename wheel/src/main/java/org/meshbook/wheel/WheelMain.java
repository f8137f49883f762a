package org.meshbook.wheel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.meshbook.kernel.install.KernelName;
import org.meshbook.kernel.install.KernelSpec;

/// Writes the wheel.
final class WheelMain {
    private static final String NAME = "meshbook_kernel";
    private static final String KERNEL = "share/jupyter/kernels/meshbook/";

    private WheelMain() {}

    /// @param arguments version, folder of the Python sources, folder of the module `magics` with
    ///   its `target`, licence, folder to write to
    public static void main(String[] arguments) throws IOException {
        var version = arguments[0];
        var python = Path.of(arguments[1]);
        var magics = Path.of(arguments[2]).normalize();
        var target = Path.of(arguments[4]);
        try (var wheel = Wheel.create(target, NAME, version)) {
            // 1. the launcher  2. the jars  3. the kernelspec  4. the metadata
            tree(wheel, python, "");
            jars(wheel, magics.resolve("target"));
            wheel.add(
                    NAME + "/training.ipynb",
                    Files.readAllBytes(magics.resolve("src/main/aot/training.ipynb")));
            kernelspec(wheel);
            metadata(wheel, python.resolveSibling("metadata"), Path.of(arguments[3]));
        }
        var file = Wheel.file(target, NAME, version);
        System.out.printf("%s, %d MB%n", file, Files.size(file) / 1_000_000);
    }

    private static void tree(Wheel wheel, Path root, String prefix) throws IOException {
        for (var file : files(root)) {
            var path = root.relativize(file).toString().replace('\\', '/');
            if (path.endsWith(".py")) {
                wheel.add(prefix + path, Files.readAllBytes(file));
            }
        }
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void jars(Wheel wheel, Path built) throws IOException {
        var folder = NAME + "/jars/";
        wheel.add(folder + "meshbook.jar", Files.readAllBytes(built.resolve("meshbook.jar")));
        for (var jar : files(built.resolve("lib"))) {
            var path = built.relativize(jar).toString().replace('\\', '/');
            if (path.endsWith(".jar")) {
                wheel.add(folder + path, Files.readAllBytes(jar));
            }
        }
    }

    /// Jupyter puts the Python that it runs on in the place of `python`.
    private static void kernelspec(Wheel wheel) throws IOException {
        var spec =
                new KernelSpec(
                        new KernelName("meshbook"),
                        "Java (Meshbook)",
                        List.of("python", "-m", NAME, "-f"),
                        Map.of());
        var folder = wheel.data() + KERNEL;
        wheel.add(folder + "kernel.json", spec.json());
        for (var logo : KernelSpec.logos().entrySet()) {
            wheel.add(folder + logo.getKey(), logo.getValue());
        }
    }

    private static void metadata(Wheel wheel, Path texts, Path licence) throws IOException {
        var version = wheel.version();
        var head = Files.readString(texts.resolve("METADATA")).replace("@version@", version);
        wheel.add(wheel.info() + "METADATA", head);
        wheel.add(
                wheel.info() + "entry_points.txt",
                Files.readString(texts.resolve("entry_points.txt")));
        wheel.add(wheel.info() + "licenses/LICENSE", Files.readAllBytes(licence));
        wheel.add(
                wheel.info() + "WHEEL",
                """
                Wheel-Version: 1.0
                Generator: meshbook (%s)
                Root-Is-Purelib: true
                Tag: py3-none-any
                """
                        .formatted(version));
    }
}
