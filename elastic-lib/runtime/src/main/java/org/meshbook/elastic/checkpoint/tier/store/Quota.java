package org.meshbook.elastic.checkpoint.tier.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// How much more may be written to a folder.
final class Quota {
    private final Path folder;
    private final long mostBytes;
    private long leftBytes = -1;

    Quota(Path folder, long mostBytes) {
        this.folder = folder;
        this.mostBytes = mostBytes;
    }

    /// @return how many of these bytes fit
    long take(long bytes) throws IOException {
        if (mostBytes == Long.MAX_VALUE) {
            return bytes;
        }
        if (leftBytes < 0) {
            leftBytes = Math.max(0, mostBytes - used(folder));
        }
        long fits = Math.min(bytes, leftBytes);
        leftBytes -= fits;
        return fits;
    }

    private static long used(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return Files.exists(path) ? Files.size(path) : 0;
        }
        long bytes = 0;
        try (var entries = Files.list(path)) {
            for (var entry : entries.toList()) {
                bytes += used(entry);
            }
        } catch (NoSuchFileException goneMeanwhile) {
            return bytes;
        }
        return bytes;
    }
}
