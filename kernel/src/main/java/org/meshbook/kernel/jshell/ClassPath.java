package org.meshbook.kernel.jshell;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/// The compile class path: what this process was started with, with the jars that the manifests of
/// its jars name (`java -jar` shows only the one jar).
final class ClassPath {
    private ClassPath() {}

    static String expanded() {
        return expanded(System.getProperty("java.class.path", ""));
    }

    static String expanded(String classPath) {
        var found = new LinkedHashSet<Path>();
        for (var entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                add(Path.of(entry), found);
            }
        }
        return String.join(
                File.pathSeparator, found.stream().map(Path::toString).toArray(String[]::new));
    }

    private static void add(Path entry, Set<Path> found) {
        var path = entry.toAbsolutePath().normalize();
        if (!Files.exists(path) || !found.add(path) || Files.isDirectory(path)) {
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
            // Not a jar, or a link that is no file: javac would skip it as well.
            found.remove(path);
        }
    }
}
