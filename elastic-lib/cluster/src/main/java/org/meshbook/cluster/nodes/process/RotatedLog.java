package org.meshbook.cluster.nodes.process;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// A container's output: a file, and its predecessor when it was full.
///
/// What cannot be written (a full disk) is dropped, and the program goes on. Belongs to one thread.
final class RotatedLog implements Closeable {
    private final Path file;
    private final long limitBytes;
    private OutputStream out = OutputStream.nullOutputStream();
    private long sizeBytes;

    RotatedLog(Path file, long limitBytes) {
        this.file = file;
        this.limitBytes = limitBytes;
        open();
    }

    /// Copies all that comes until its end.
    void copy(InputStream in) throws IOException {
        var buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            write(buffer, n);
        }
    }

    private void write(byte[] bytes, int length) {
        if (sizeBytes + length > limitBytes) {
            turn();
        }
        try {
            out.write(bytes, 0, length);
            sizeBytes += length;
        } catch (IOException full) {
            out = OutputStream.nullOutputStream();
        }
    }

    private void turn() {
        try {
            out.close();
            var older = file.resolveSibling(file.getFileName() + ".1");
            Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException gone) {
            // A new file is made below, or nothing is kept.
        }
        open();
    }

    private void open() {
        sizeBytes = 0;
        try {
            Files.createDirectories(file.getParent());
            out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            sizeBytes = Files.size(file);
        } catch (IOException e) {
            out = OutputStream.nullOutputStream();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
