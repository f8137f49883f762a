package org.meshbook.kernel.jshell;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.meshbook.kernel.spi.MagicException;

/// The compile class path: what this process was started with, with the jars that the manifests of
/// its jars name (`java -jar` shows only the one jar), and what cells added.
///
/// The compiler opens every jar that it is given, those in manifests included, before the first
/// cell: fifty cost it a tenth of a second. So a manifest may say by `Compile-Class-Path` what
/// cells are compiled against in place of the jar itself; at run time everything is there.
///
/// Owned by the thread that holds the shell's lock.
final class ClassPath {
    private static final String PROPERTY = "java.class.path";
    private static final String COMPILE = "Compile-Class-Path";

    private final Set<Path> entries = new LinkedHashSet<>();

    private ClassPath() {}

    static ClassPath ofThisProcess() {
        return of(System.getProperty(PROPERTY, ""));
    }

    static ClassPath of(String classPath) {
        var found = new ClassPath();
        for (var entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                add(Path.of(entry), found.entries);
            }
        }
        return found;
    }

    List<Path> entries() {
        return List.copyOf(entries);
    }

    String text() {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /// Adds entries, also to the system property, which libraries read.
    ///
    /// @param more jars and folders
    /// @return those that were not there yet
    /// @throws MagicException if there is no such file or folder; nothing is added then
    List<Path> add(List<Path> more) {
        var fresh = new LinkedHashSet<Path>();
        for (var entry : more) {
            var path = entry.toAbsolutePath().normalize();
            if (!Files.exists(path)) {
                throw new MagicException(
                        "there is no jar or folder %s; the class path stays as it was"
                                .formatted(path));
            }
            if (!entries.contains(path)) {
                fresh.add(path);
            }
        }
        entries.addAll(fresh);
        for (var path : fresh) {
            var before = System.getProperty(PROPERTY, "");
            System.setProperty(
                    PROPERTY, before.isEmpty() ? "" + path : before + File.pathSeparator + path);
        }
        return List.copyOf(fresh);
    }

    private static void add(Path entry, Set<Path> found) {
        var path = entry.toAbsolutePath().normalize();
        if (!Files.exists(path) || !found.add(path) || Files.isDirectory(path)) {
            return;
        }
        try (var jar = new JarFile(path.toFile())) {
            var manifest = jar.getManifest();
            if (manifest == null) {
                return;
            }
            var compile = manifest.getMainAttributes().getValue(COMPILE);
            if (compile != null) {
                found.remove(path);
                addAll(compile, path, found);
                return;
            }
            var more = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (more != null) {
                addAll(more, path, found);
            }
        } catch (IOException | IllegalArgumentException e) {
            // Not a jar, or a link that is no file: javac would skip it as well.
            found.remove(path);
        }
    }

    private static void addAll(String names, Path from, Set<Path> found) {
        for (var relative : names.strip().split("\\s+")) {
            if (!relative.isEmpty()) {
                add(Path.of(from.toUri().resolve(relative)), found);
            }
        }
    }
}
