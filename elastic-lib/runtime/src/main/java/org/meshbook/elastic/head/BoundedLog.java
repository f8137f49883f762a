package org.meshbook.elastic.head;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// A log file that never grows beyond twice its limit: a full one replaces its predecessor.
///
/// A log that cannot be written (a full disk) is given up silently; the head goes on. Thread-safe.
final class BoundedLog extends OutputStream {
    private final Path file;
    private final long limitBytes;
    private OutputStream out = OutputStream.nullOutputStream();
    private long sizeBytes;

    BoundedLog(Path file, long limitBytes) {
        this.file = file;
        this.limitBytes = limitBytes;
        open();
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        if (sizeBytes + length > limitBytes) {
            turn();
        }
        try {
            out.write(bytes, from, length);
            sizeBytes += length;
        } catch (IOException full) {
            // Nobody can be told: this is where telling goes.
            out = OutputStream.nullOutputStream();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
        out = OutputStream.nullOutputStream();
    }

    private void turn() {
        try {
            out.close();
            Files.move(
                    file,
                    file.resolveSibling(file.getFileName() + ".1"),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException gone) {
            // A new file is made below, or nothing is logged.
        }
        open();
    }

    private void open() {
        try {
            if (!Files.exists(file)) {
                Files.createFile(
                        file,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
            }
            out = Files.newOutputStream(file, StandardOpenOption.APPEND);
            sizeBytes = Files.size(file);
        } catch (IOException e) {
            out = OutputStream.nullOutputStream();
            sizeBytes = 0;
        }
    }
}
