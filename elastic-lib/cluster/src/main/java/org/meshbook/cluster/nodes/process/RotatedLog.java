package org.meshbook.cluster.nodes.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;

/// A container's output: a file of [LogLine]s, and its predecessor when it was full.
///
/// Its stdout and stderr are one stream here. What cannot be written (a full disk) is dropped, and
/// the program goes on. Belongs to one thread.
final class RotatedLog implements Closeable {
    /// A longer line is kept in pieces of this size, as by container runtimes.
    private static final int PIECE_BYTES = 16 << 10;

    private final Path file;
    private final long limitBytes;
    private final InstantSource clock;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private OutputStream out = OutputStream.nullOutputStream();
    private long sizeBytes;

    RotatedLog(Path file, long limitBytes, InstantSource clock) {
        this.file = file;
        this.limitBytes = limitBytes;
        this.clock = clock;
        open();
    }

    /// Copies all that comes until its end.
    void copy(InputStream in) throws IOException {
        var buffer = new byte[8192];
        var lines = new ByteArrayOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            add(buffer, n, lines);
            write(lines);
        }
        if (line.size() > 0) {
            end(lines, LogLine.time(clock.instant()), true);
            write(lines);
        }
    }

    private void add(byte[] bytes, int length, ByteArrayOutputStream lines) {
        var time = LogLine.time(clock.instant());
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                end(lines, time, true);
            } else {
                if (line.size() == PIECE_BYTES) {
                    end(lines, time, false);
                }
                line.write(bytes[i]);
            }
        }
    }

    private void end(ByteArrayOutputStream lines, String time, boolean whole) {
        lines.writeBytes(LogLine.head(time, whole).getBytes(US_ASCII));
        lines.writeBytes(line.toByteArray());
        lines.write('\n');
        line.reset();
    }

    /// In one piece, so that a reader seldom sees half a line.
    private void write(ByteArrayOutputStream lines) {
        if (lines.size() == 0) {
            return;
        }
        if (sizeBytes > 0 && sizeBytes + lines.size() > limitBytes) {
            turn();
        }
        try {
            lines.writeTo(out);
            sizeBytes += lines.size();
        } catch (IOException full) {
            out = OutputStream.nullOutputStream();
        }
        lines.reset();
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
