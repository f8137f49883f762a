package org.meshbook.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The walk through the code names files that are there.
final class WalkTest {
    private static final Path ROOT = Path.of("../..");
    private static final Map<String, String> FOLDERS =
            Map.of(
                    "K", "kernel/src/main/java/org/meshbook/kernel",
                    "E", "elastic-lib/runtime/src/main/java/org/meshbook/elastic",
                    "M", "magics/src/main/java/org/meshbook/magics");

    @Test
    void everyFileOfTheWalkExists() throws IOException {
        var walk = Files.readString(ROOT.resolve("docs/walk.md"));
        var files =
                Pattern.compile("`([KEM])/([\\w/]+\\.java)`")
                        .matcher(walk)
                        .results()
                        .map(m -> FOLDERS.get(m.group(1)) + "/" + m.group(2))
                        .toList();
        assertThat(files).hasSizeGreaterThan(30);
        assertThat(files).allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    }
}
