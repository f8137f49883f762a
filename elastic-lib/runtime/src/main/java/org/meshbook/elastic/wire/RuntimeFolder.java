package org.meshbook.elastic.wire;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;

/// The folder of one user's head: who it is (`head.state`), its lock and its logs.
///
/// Found at `$MESHBOOK_RUNTIME_DIR`, else `$XDG_RUNTIME_DIR/meshbook`, else
/// `<java.io.tmpdir>/meshbook-<user>`; made with mode 0700. The system property
/// `meshbook.runtime.dir` goes before all of them, for programs that cannot set their environment.
///
/// @param path the folder
public record RuntimeFolder(Path path) {
    static final String STATE = "head.state";
    private static final int PROBE_BYTES = 64 * 1024;

    /// @return the folder that the environment names; made if it is missing
    /// @throws UsageError if it cannot be used; one line that says why
    public static RuntimeFolder ofEnvironment() {
        return at(place(System.getenv()));
    }

    /// @param path a folder; made if it is missing
    /// @return it, checked: ours, not writable by others, with room for the head's files
    /// @throws UsageError if it cannot be used; one line that says why
    public static RuntimeFolder at(Path path) {
        var folder = path.toAbsolutePath().normalize();
        try {
            make(folder);
            checkRights(folder);
            checkOwnerAndRoom(folder);
        } catch (IOException e) {
            throw new UsageError(
                    "cannot use the runtime folder '%s': %s; set MESHBOOK_RUNTIME_DIR to a folder"
                            + " that can be written",
                    folder, reason(e));
        }
        return new RuntimeFolder(folder);
    }

    /// @return the file that says where the head is
    public Path state() {
        return path.resolve(STATE);
    }

    /// @return the file that the one head holds locked
    public Path lock() {
        return path.resolve("head.lock");
    }

    /// @param name a bare file name
    /// @return that file in this folder
    public Path file(String name) {
        return path.resolve(name);
    }

    /// Looks whether a head lives: it holds the lock as long as its process has files open, so that
    /// neither a stale state file nor a dead process that nobody has waited for looks like one.
    ///
    /// @return whether somebody else's process holds the lock
    public boolean held() {
        try (var channel = FileChannel.open(lock(), StandardOpenOption.READ);
                var mine = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return mine == null;
        } catch (OverlappingFileLockException anotherThreadLooks) {
            return true;
        } catch (IOException none) {
            return false;
        }
    }

    static Path place(Map<String, String> environment) {
        return named(System.getProperty("meshbook.runtime.dir"))
                .or(() -> named(environment.get("MESHBOOK_RUNTIME_DIR")))
                .or(() -> named(environment.get("XDG_RUNTIME_DIR")).map(p -> p.resolve("meshbook")))
                .orElseGet(
                        () ->
                                Path.of(System.getProperty("java.io.tmpdir"))
                                        .resolve("meshbook-" + System.getProperty("user.name")));
    }

    private static Optional<Path> named(@Nullable String value) {
        return value == null || value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
    }

    private static void make(Path folder) throws IOException {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException raced) {
            require(
                    Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS),
                    "the runtime folder '%s' is no folder; remove it or set MESHBOOK_RUNTIME_DIR",
                    folder);
        }
    }

    private static void checkRights(Path folder) throws IOException {
        var modes = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        require(
                !modes.contains(PosixFilePermission.GROUP_WRITE)
                        && !modes.contains(PosixFilePermission.OTHERS_WRITE),
                "others may write to the runtime folder '%s' (%s); take that right away with"
                        + " chmod 700, or set MESHBOOK_RUNTIME_DIR",
                folder,
                PosixFilePermissions.toString(modes));
    }

    /// A file of ours shows who we are (user.name is unset for some users of containers), and that
    /// there is room.
    private static void checkOwnerAndRoom(Path folder) throws IOException {
        var probe = Files.createTempFile(folder, "probe-", ".tmp");
        try {
            var owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);
            var us = Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS);
            require(
                    owner.equals(us),
                    "the runtime folder '%s' belongs to '%s', not to '%s'; set"
                            + " MESHBOOK_RUNTIME_DIR to a folder of your own",
                    folder,
                    owner.getName(),
                    us.getName());
            Files.write(probe, new byte[PROBE_BYTES]);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static String reason(IOException e) {
        var text = e.getMessage();
        if (e instanceof FileSystemException f && f.getReason() != null) {
            text = f.getReason();
        }
        return text == null || text.isBlank() ? e.getClass().getSimpleName() : text;
    }
}
