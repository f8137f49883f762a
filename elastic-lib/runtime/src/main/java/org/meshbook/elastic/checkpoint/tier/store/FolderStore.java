package org.meshbook.elastic.checkpoint.tier.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.checkpoint.tier.format.CheckpointCorrupt;
import org.meshbook.elastic.checkpoint.tier.format.ManifestText;
import org.meshbook.elastic.checkpoint.tier.format.Names;

/// Checkpoints in a folder of a file system: `120/` is a step, `120.writing-ATTEMPT/` is not one
/// yet, and one rename makes the difference.
public final class FolderStore implements TierStore {
    private static final String MANIFEST = "manifest";
    private static final String WRITER = "writer";
    private static final String WRITING = ".writing-";
    private static final String ASIDE = ".aside-";

    private final Path folder;
    private final Quota quota;
    private final boolean safe;

    private FolderStore(Path folder, long quotaBytes, boolean safe) {
        this.folder = folder;
        this.quota = new Quota(folder, quotaBytes);
        this.safe = safe;
    }

    /// @param folder of one run, on a disk that outlives the machine's end
    /// @return the store; what it has committed is on the disk
    public static FolderStore onDisk(Path folder) {
        return new FolderStore(folder, Long.MAX_VALUE, true);
    }

    /// @param folder of one run, in memory that outlives the processes only
    /// @param quotaBytes most bytes in it
    /// @return the store; it does not wait for a disk
    public static FolderStore inMemory(Path folder, long quotaBytes) {
        return new FolderStore(folder, quotaBytes, false);
    }

    @Override
    public Sink create(long step, Writer writer, String file) throws IOException {
        var temporary = writing(step, writer.attempt());
        makeFolder(temporary);
        var sign = temporary.resolve(WRITER);
        if (!Files.exists(sign)) {
            try {
                Files.write(sign, writer.text(), StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException another) {
                // Another host of the same save wrote the same.
                return sink(temporary.resolve(file));
            }
        }
        return sink(temporary.resolve(file));
    }

    @Override
    public void commit(long step, String attempt, byte[] manifest) throws IOException {
        var temporary = writing(step, attempt);
        var target = folder.resolve(Long.toString(step));
        // 1. the manifest is on disk before anybody can see it
        try (var sink = sink(temporary.resolve(MANIFEST))) {
            sink.write(ByteBuffer.wrap(manifest));
            sink.finish();
        }
        sync(temporary);
        // 2. whatever has the name is put aside, not overwritten
        if (Files.exists(target)) {
            putAside(step);
        }
        // 3. visible
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        sync(folder);
    }

    @Override
    public void discard(long step, String attempt) throws IOException {
        deleteTree(writing(step, attempt));
        for (var found : scan()) {
            // Other hosts of a save that failed may have committed before it did.
            if (found.step() == step && found.attempt().equals(attempt)) {
                delete(step);
            }
        }
    }

    @Override
    public List<Found> scan() throws IOException {
        var found = new ArrayList<Found>();
        for (var entry : entries(folder)) {
            var step = Names.stepOf(entry.getFileName().toString());
            if (step.isPresent() && Files.exists(entry.resolve(MANIFEST))) {
                found.add(found(step.getAsLong(), entry));
            }
        }
        return found;
    }

    private Found found(long step, Path entry) throws IOException {
        var lengths = new HashMap<String, Long>();
        for (var file : entries(entry)) {
            lengths.put(file.getFileName().toString(), Files.size(file));
        }
        try {
            var manifest = ManifestText.decode(manifest(step));
            return manifest.step() == step
                    ? new Found(step, manifest.attempt(), lengths, "")
                    : new Found(
                            step, "", lengths, "its manifest is that of step " + manifest.step());
        } catch (CheckpointCorrupt e) {
            return new Found(step, "", lengths, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public byte[] manifest(long step) throws IOException {
        return Files.readAllBytes(folder.resolve(Long.toString(step)).resolve(MANIFEST));
    }

    @Override
    public void read(long step, String attempt, String file, long offset, ByteBuffer into)
            throws IOException {
        var path = folder.resolve(Long.toString(step)).resolve(file);
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long at = offset;
            while (into.hasRemaining()) {
                int read = channel.read(into, at);
                if (read < 0) {
                    throw new EOFException(
                            "%s ends after %d bytes; %d more are missing"
                                    .formatted(file, at, into.remaining()));
                }
                at += read;
            }
        }
    }

    @Override
    public void delete(long step) throws IOException {
        var hidden = hide(step);
        if (hidden.isPresent()) {
            deleteTree(hidden.get());
        }
    }

    @Override
    public void putAside(long step) throws IOException {
        var unused = hide(step);
    }

    private Optional<Path> hide(long step) throws IOException {
        var visible = folder.resolve(Long.toString(step));
        for (int i = 1; ; i++) {
            var hidden = folder.resolve(step + ASIDE + i);
            if (Files.exists(hidden)) {
                continue;
            }
            try {
                Files.move(visible, hidden, StandardCopyOption.ATOMIC_MOVE);
                sync(folder);
                return Optional.of(hidden);
            } catch (NoSuchFileException gone) {
                return Optional.empty();
            } catch (DirectoryNotEmptyException | FileAlreadyExistsException taken) {
                // Somebody took that name meanwhile; the next one may be free.
                continue;
            }
        }
    }

    @Override
    public int sweep(Writer asking, Set<String> live, Instant now) throws IOException {
        int swept = 0;
        for (var entry : entries(folder)) {
            var name = entry.getFileName().toString();
            int at = name.indexOf(WRITING);
            if (at > 0
                    && Names.stepOf(name.substring(0, at)).isPresent()
                    && Files.isDirectory(entry)) {
                var sign = entry.resolve(WRITER);
                var writer = Files.exists(sign) ? Writer.parse(Files.readAllBytes(sign)) : none();
                if (writer.isPresent() && writer.get().dead(asking, live, touched(entry), now)) {
                    deleteTree(entry);
                    swept++;
                }
            }
        }
        return swept;
    }

    private static Optional<Writer> none() {
        return Optional.empty();
    }

    private static Instant touched(Path entry) throws IOException {
        var newest = Files.getLastModifiedTime(entry).toInstant();
        for (var file : entries(entry)) {
            var at = Files.getLastModifiedTime(file).toInstant();
            newest = at.isAfter(newest) ? at : newest;
        }
        return newest;
    }

    private Sink sink(Path path) throws IOException {
        return new FileSink(path, quota, safe);
    }

    private Path writing(long step, String attempt) {
        return folder.resolve(step + WRITING + attempt);
    }

    private static void makeFolder(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(path);
        }
    }

    private static List<Path> entries(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var stream = Files.list(folder)) {
            return stream.toList();
        }
    }

    private static void deleteTree(Path path) throws IOException {
        for (var entry : entries(path)) {
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                deleteTree(entry);
            } else {
                Files.deleteIfExists(entry);
            }
        }
        Files.deleteIfExists(path);
    }

    /// A rename is safe only when the folder that holds the name is on disk.
    private void sync(Path folder) throws IOException {
        if (!safe) {
            return;
        }
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
