package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Files that only their user may read.
final class OwnFile {
    private OwnFile() {}

    /// Writes a file whole or not at all.
    static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(UTF_8));
    }

    /// Writes a file whole or not at all.
    static void write(Path file, byte[] bytes) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        var mine = PosixFilePermissions.fromString("rw-------");
        try (var channel =
                Files.newByteChannel(
                        fresh,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(mine))) {
            channel.write(ByteBuffer.wrap(bytes));
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
