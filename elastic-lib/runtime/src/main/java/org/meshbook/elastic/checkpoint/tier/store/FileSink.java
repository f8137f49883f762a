package org.meshbook.elastic.checkpoint.tier.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file that is being written.
final class FileSink implements TierStore.Sink {
    private final Path path;
    private final Quota quota;
    private final boolean safe;
    private final FileChannel channel;

    FileSink(Path path, Quota quota, boolean safe) throws IOException {
        this.path = path;
        this.quota = quota;
        this.safe = safe;
        this.channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        long room = quota.take(bytes.remaining());
        boolean full = room < bytes.remaining();
        var fits = full ? bytes.slice(bytes.position(), (int) room) : bytes;
        while (fits.hasRemaining()) {
            int written = channel.write(fits);
            if (written < 0) {
                throw new FileSystemException(path.toString(), null, "nothing could be written");
            }
        }
        if (full) {
            // As a file system does it: what fits is written, then the system says so.
            throw new FileSystemException(path.toString(), null, "No space left on device");
        }
    }

    @Override
    public void finish() throws IOException {
        if (safe) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
