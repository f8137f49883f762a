package org.meshbook.kernel.maven;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.meshbook.kernel.spi.Nearest;

/// The folder of what was loaded before, as a source of names.
///
/// @param folder its root
public record LocalRepository(Path folder) {
    private static final int MOST = 200;
    private static final int MOST_FOLDERS = 20_000;

    /// @param typed the beginning of coordinates
    /// @return what they could become, as far as one colon or dot more
    public List<String> complete(String typed) {
        var parts = typed.split(":", -1);
        return switch (parts.length) {
            case 1 -> groups(parts[0]);
            case 2 ->
                    named(group(parts[0]), parts[1]).stream()
                            .filter(name -> isArtifact(group(parts[0]).resolve(name)))
                            .map(name -> parts[0] + ":" + name + ":")
                            .toList();
            case 3 ->
                    named(group(parts[0]).resolve(parts[1]), parts[2]).stream()
                            .map(name -> parts[0] + ":" + parts[1] + ":" + name)
                            .toList();
            default -> List.of();
        };
    }

    private List<String> groups(String typed) {
        int dot = typed.lastIndexOf('.');
        var above = dot < 0 ? folder : group(typed.substring(0, dot));
        var prefix = dot < 0 ? "" : typed.substring(0, dot + 1);
        var found = new ArrayList<String>();
        for (var name : named(above, typed.substring(dot + 1))) {
            var path = above.resolve(name);
            var below = named(path, "");
            if (below.stream().anyMatch(b -> isArtifact(path.resolve(b)))) {
                found.add(prefix + name + ":");
            }
            if (below.stream().anyMatch(b -> !isArtifact(path.resolve(b))) && !isArtifact(path)) {
                found.add(prefix + name + ".");
            }
        }
        return found;
    }

    private Path group(String group) {
        return folder.resolve(group.replace('.', '/'));
    }

    /// An artifact's folder holds versions: folders with files that begin with its name.
    private static boolean isArtifact(Path path) {
        for (var version : named(path, "")) {
            var stem = path.getFileName() + "-" + version;
            try (var files = Files.newDirectoryStream(path.resolve(version), stem + "*")) {
                if (files.iterator().hasNext()) {
                    return true;
                }
            } catch (IOException | DirectoryIteratorException e) {
                continue;
            }
        }
        return false;
    }

    private static List<String> named(Path folder, String prefix) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory)
                    .map(p -> p.getFileName().toString())
                    .filter(name -> name.startsWith(prefix) && !name.startsWith("."))
                    .sorted()
                    .limit(MOST)
                    .toList();
        } catch (IOException | RuntimeException e) {
            // Not there, or not a name that a folder can have: then nothing is known of it.
            return List.of();
        }
    }

    /// @param group a group id
    /// @param artifact an artifact id
    /// @return libraries here that may have been meant, at most three
    public List<String> near(String group, String artifact) {
        var found = new ArrayList<String>();
        for (var name : named(group(group), "")) {
            if (isNear(artifact, name) && isArtifact(group(group).resolve(name))) {
                found.add(group + ":" + name);
            }
        }
        if (found.isEmpty()) {
            found.addAll(elsewhere(group, artifact));
        }
        return found.stream().limit(3).toList();
    }

    /// The same artifact in another group, or a near one in a near group.
    private List<String> elsewhere(String group, String artifact) {
        var found = new ArrayList<String>();
        var waiting = new java.util.ArrayDeque<Path>(List.of(folder));
        for (var i = 0; i < MOST_FOLDERS && !waiting.isEmpty(); i++) {
            var at = waiting.remove();
            for (var name : named(at, "")) {
                var path = at.resolve(name);
                if (isArtifact(path)) {
                    var here =
                            folder.relativize(at).toString().replace('\\', '.').replace('/', '.');
                    if (name.equals(artifact) || (isNear(group, here) && isNear(artifact, name))) {
                        found.add(here + ":" + name);
                    }
                } else {
                    waiting.add(path);
                }
            }
        }
        return found;
    }

    private static boolean isNear(String typed, String known) {
        return Nearest.distance(typed, known)
                <= Math.max(1, Math.min(typed.length(), known.length()) / 4);
    }
}
