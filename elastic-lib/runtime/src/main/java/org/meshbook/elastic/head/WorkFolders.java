package org.meshbook.elastic.head;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.wire.RuntimeFolder;

/// Temporary folders of workers: a killed process cannot clean up after itself, so the head does.
///
/// Each is named after the head's process, so that the next head can sweep what a killed one left.
/// Thread-safe.
final class WorkFolders {
    private static final System.Logger LOG = System.getLogger(WorkFolders.class.getName());

    private final Path root;
    private final AtomicLong number = new AtomicLong();

    WorkFolders() {
        var name = "meshbook-" + System.getProperty("user.name") + "-workers";
        root = RuntimeFolder.at(Path.of(System.getProperty("java.io.tmpdir"), name)).path();
    }

    Path fresh() throws IOException {
        return Files.createDirectory(
                root.resolve(ProcessHandle.current().pid() + "-" + number.incrementAndGet()));
    }

    /// @return a name for the image of a suspended worker
    Path image() {
        return root.resolve(ProcessHandle.current().pid() + "-image-" + number.incrementAndGet());
    }

    void sweep() {
        try (var folders = Files.list(root)) {
            folders.filter(WorkFolders::ownerIsGone).forEach(WorkFolders::delete);
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.WARNING, "cannot sweep " + root, e);
        }
    }

    void dropOwn() {
        var prefix = ProcessHandle.current().pid() + "-";
        try (var folders = Files.list(root)) {
            folders.filter(f -> f.getFileName().toString().startsWith(prefix))
                    .forEach(WorkFolders::delete);
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.WARNING, "cannot sweep " + root, e);
        }
    }

    static void delete(Path folder) {
        try {
            Files.walkFileTree(
                    folder,
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
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "cannot delete " + folder, e);
        }
    }

    private static boolean ownerIsGone(Path folder) {
        try {
            long pid = Long.parseLong(folder.getFileName().toString().replaceAll("-.*", ""));
            return ProcessHandle.of(pid).isEmpty();
        } catch (NumberFormatException notOurs) {
            return false;
        }
    }
}
