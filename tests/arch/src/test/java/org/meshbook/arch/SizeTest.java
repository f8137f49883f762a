package org.meshbook.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Sizes are a warning list, printed and never failed on: who goes over says why in the file.
class SizeTest {
    private static final int FILES_A_PACKAGE = 10;
    private static final int LINES_A_FILE = 400;

    @Test
    void largePackagesAndFilesAreListed() throws IOException {
        var sources = sources();
        assertThat(sources).as("sources found from the module's folder").isNotEmpty();

        var packages = new TreeMap<String, Integer>();
        var warnings = new ArrayList<String>();
        for (var source : sources) {
            if (!source.endsWith("package-info.java")) {
                packages.merge(folder(source), 1, Integer::sum);
            }
            int lines = Files.readAllLines(source).size();
            if (lines > LINES_A_FILE) {
                warnings.add("%4d lines in %s".formatted(lines, shown(source)));
            }
        }
        packages.forEach(
                (name, count) -> {
                    if (count > FILES_A_PACKAGE) {
                        warnings.add("%4d files in %s".formatted(count, name));
                    }
                });
        if (!warnings.isEmpty()) {
            System.out.println(
                    "larger than %d files a package or %d lines a file:"
                            .formatted(FILES_A_PACKAGE, LINES_A_FILE));
            warnings.forEach(System.out::println);
        }
    }

    private static List<Path> sources() throws IOException {
        var found = new ArrayList<Path>();
        for (var module :
                List.of("kernel", "magics", "elastic-lib/runtime", "elastic-lib/cluster")) {
            var main = root().resolve(module).resolve("src/main/java");
            if (Files.isDirectory(main)) {
                try (var files = Files.walk(main)) {
                    files.filter(f -> f.toString().endsWith(".java")).sorted().forEach(found::add);
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }
        }
        return found;
    }

    private static Path root() {
        return Path.of("../..").toAbsolutePath().normalize();
    }

    private static String folder(Path source) {
        var name = shown(source);
        return name.substring(0, name.lastIndexOf('/'));
    }

    private static String shown(Path path) {
        return root().relativize(path).toString().replace('\\', '/');
    }
}
