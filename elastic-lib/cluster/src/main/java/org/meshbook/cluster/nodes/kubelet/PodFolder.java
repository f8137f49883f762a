package org.meshbook.cluster.nodes.kubelet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;

/// Where a pod's files lie.
///
/// `NAMESPACE_NAME_UID/` has `root/` (what its programs see as their home), `volumes/NAME/`, `bin/`
/// (programs by the names that its images give them) and `logs/CONTAINER/N.log`, N being how often
/// the container was started before; `N.log.1` is what came before a full one.
///
/// @param path the folder
public record PodFolder(Path path) {
    /// @param root where the pods of a cluster have their folders
    /// @param pod a pod, as stored
    /// @return its folder
    public static PodFolder of(Path root, Resource pod) {
        return new PodFolder(
                root.resolve("%s_%s_%s".formatted(pod.namespace(), pod.name(), pod.uid())));
    }

    Path home() {
        return path.resolve("root");
    }

    Path bin() {
        return path.resolve("bin");
    }

    Path volume(String name) {
        return path.resolve("volumes").resolve(name);
    }

    /// @param container a container's name
    /// @param attempt how often it was started before
    /// @return the file with its output
    public Path log(String container, int attempt) {
        return path.resolve("logs").resolve(container).resolve(attempt + ".log");
    }

    /// @param container a container's name
    /// @return its logs, the newest last; a predecessor of a full one comes before it
    public List<Path> logs(String container) {
        try (var files = Files.list(path.resolve("logs").resolve(container))) {
            return files.filter(f -> f.getFileName().toString().matches("\\d+\\.log(\\.1)?"))
                    .sorted(Comparator.comparing(PodFolder::order))
                    .toList();
        } catch (IOException | UncheckedIOException none) {
            return List.of();
        }
    }

    private static long order(Path log) {
        var name = log.getFileName().toString();
        long attempt = Long.parseLong(name.substring(0, name.indexOf('.')));
        return attempt * 2 + (name.endsWith(".1") ? 0 : 1);
    }

    /// Deletes it and all that is in it.
    void delete() throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes facts)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path done, @Nullable IOException failure) throws IOException {
                        Files.deleteIfExists(done);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
