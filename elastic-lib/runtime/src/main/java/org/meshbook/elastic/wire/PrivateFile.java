package org.meshbook.elastic.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/// Writes files that hold tokens: mode 0600 from the first byte, replaced by an atomic rename.
final class PrivateFile {
    private PrivateFile() {}

    static void write(RuntimeFolder folder, String name, String text) throws IOException {
        var fresh =
                Files.createTempFile(
                        folder.path(),
                        "fresh-" + name,
                        ".tmp",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(fresh, text);
            Files.move(
                    fresh,
                    folder.file(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
