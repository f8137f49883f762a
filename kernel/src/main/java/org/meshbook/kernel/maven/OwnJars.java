package org.meshbook.kernel.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/// The jars that this program runs with, also those that cells are not compiled against: classes of
/// theirs win over what cells add.
final class OwnJars {
    private OwnJars() {}

    /// @return jars and folders, those that manifests name included
    static List<Path> all() {
        var found = new LinkedHashSet<Path>();
        for (var entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                add(Path.of(entry).toAbsolutePath().normalize(), found);
            }
        }
        return List.copyOf(found);
    }

    private static void add(Path path, Set<Path> found) {
        if (!Files.isRegularFile(path) || !found.add(path)) {
            return;
        }
        try (var jar = new JarFile(path.toFile())) {
            var manifest = jar.getManifest();
            var more =
                    manifest == null
                            ? null
                            : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (more == null) {
                return;
            }
            for (var relative : more.strip().split("\\s+")) {
                if (!relative.isEmpty()) {
                    add(Path.of(path.toUri().resolve(relative)), found);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // No jar: then it names no others.
            return;
        }
    }
}
