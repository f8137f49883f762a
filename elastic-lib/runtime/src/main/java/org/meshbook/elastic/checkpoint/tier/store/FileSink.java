package org.meshbook.elastic.checkpoint.tier.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.meshbook.elastic.checkpoint.tier.store.BadDisk.Kind;

/// A file that is being written.
final class FileSink implements TierStore.Sink {
    private static final Path ALWAYS_FULL = Path.of("/dev/full");

    private final Path path;
    private final Quota quota;
    private final boolean safe;
    private final FileChannel channel;
    private final Optional<Kind> wrong;

    FileSink(Path path, Quota quota, boolean safe) throws IOException {
        this.path = path;
        this.quota = quota;
        this.safe = safe;
        this.wrong = BadDisk.ofProcess().strikes(path);
        this.channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        var fault = wrong;
        int length = bytes.remaining();
        long room = quota.take(fault.isPresent() ? length / 2 : length);
        writeAll(bytes.slice(bytes.position(), (int) room));
        bytes.position(bytes.position() + (int) room);
        if (fault.equals(Optional.of(Kind.TORN))) {
            writeAll(ByteBuffer.allocate(bytes.remaining()));
            bytes.position(bytes.limit());
        }
        if (bytes.hasRemaining()) {
            // As a file system does it: what fits is written, then the system says so.
            throw full();
        }
    }

    private void writeAll(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int written = channel.write(bytes);
            if (written < 0) {
                throw new FileSystemException(path.toString(), null, "nothing could be written");
            }
        }
    }

    /// The system's own error, from the device that is always full where there is one.
    private IOException full() {
        var words = "No space left on device";
        if (Files.exists(ALWAYS_FULL)) {
            try {
                Files.write(ALWAYS_FULL, new byte[1], StandardOpenOption.WRITE);
            } catch (IOException e) {
                words = String.valueOf(e.getMessage());
            }
        }
        return new FileSystemException(path.toString(), null, words);
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
