package org.meshbook.cluster.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.store.Records.Change;

/// Writes every change to a file before anybody hears of it.
///
/// One thread writes; changes that wait are written together. A change counts when the operating
/// system has it, so that it survives the end of this process however that comes; the disk has it
/// at most 100 ms later.
///
/// While the disk takes nothing, no change is begun. What was under way when it filled up is
/// refused, too, but stays in line: as with an answer that got lost, whether it was done shows when
/// there is room again, which is tried every half second.
final class Journal implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Journal.class.getName());
    private static final Duration FORCE_AFTER = Duration.ofMillis(100);
    private static final Duration TRY_AGAIN_AFTER = Duration.ofMillis(500);
    private static final long SMALLEST_TO_COMPACT_BYTES = 8L << 20;
    private static final int GROWTH_TO_COMPACT = 3;
    private static final Change END = new Records.Start(-1, 0);

    private final Path file;
    private final FileChannel processLock;
    private final Supplier<List<Change>> live;
    private final Runnable counted;
    private final LinkedBlockingQueue<Change> waiting = new LinkedBlockingQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();
    private final Thread writer;
    private FileChannel channel;
    private long compactedBytes;
    private long forcedNanos = System.nanoTime();
    private boolean unforced;

    /// What could not be written; of the writer's thread.
    private List<Change> owed = List.of();

    private long appended;
    private final AtomicLong written = new AtomicLong();
    private @Nullable String failure;

    private Journal(
            Path file, FileChannel processLock, Supplier<List<Change>> live, Runnable counted)
            throws IOException {
        this.file = file;
        this.processLock = processLock;
        this.live = live;
        this.counted = counted;
        channel = appending(file);
        compactedBytes = channel.size();
        writer = Thread.ofPlatform().name("meshbook-journal").daemon().start(this::work);
    }

    /// @param folder where; made if it is not there
    /// @param restore takes what is in the file, in order
    /// @param live tells all that is there, for a shorter file
    /// @param counted is called by the writing thread each time that more changes count
    /// @return the journal, open for more
    static Journal open(
            Path folder, Records.Reader restore, Supplier<List<Change>> live, Runnable counted) {
        try {
            Files.createDirectories(folder);
            var held = lock(folder);
            var file = folder.resolve("objects.log");
            if (!Files.exists(file)) {
                Files.write(file, Records.MAGIC);
            }
            long good = Records.read(file, restore);
            long torn = Files.size(file) - good;
            if (torn > 0) {
                LOG.log(System.Logger.Level.WARNING, "file={0} torn bytes={1}", file, torn);
                try (var cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    cut.truncate(good);
                }
            }
            return new Journal(file, held, live, counted);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        var channel =
                FileChannel.open(
                        folder.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException _) {
            // This process has it open already.
        }
        channel.close();
        throw new IOException(
                "the cluster in \"%s\" is open already; close it there, or use another folder"
                        .formatted(folder));
    }

    private static FileChannel appending(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /// Is called before a change is begun.
    ///
    /// @throws ApiException if the disk takes nothing
    void requireRoom() {
        lock.lock();
        try {
            if (failure != null) {
                throw refused();
            }
        } finally {
            lock.unlock();
        }
    }

    private ApiException refused() {
        return new ApiException(
                500,
                "InternalError",
                "\"%s\" cannot be written: %s".formatted(file, failure),
                List.of());
    }

    /// Puts a change in line; called under the store's lock, which gives the order.
    ///
    /// @return its number, for [#await]
    long append(Change change) {
        waiting.add(change);
        return ++appended;
    }

    /// @return the number of the last change that counts
    long written() {
        return written.get();
    }

    /// Waits until a change counts.
    ///
    /// @param number from [#append]
    /// @throws ApiException if it could not be written
    void await(long number) {
        lock.lock();
        try {
            while (written.get() < number && failure == null) {
                progress.awaitUninterruptibly();
            }
            if (written.get() < number) {
                throw refused();
            }
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        try {
            boolean more = true;
            while (more) {
                more = turn();
            }
            fail("the cluster is closed");
        } catch (InterruptedException stopped) {
            fail("the cluster is closed");
        } finally {
            release();
        }
    }

    private void fail(String why) {
        lock.lock();
        try {
            failure = why;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Writes what waits.
    ///
    /// @return whether there is more to come
    private boolean turn() throws InterruptedException {
        var batch = next();
        boolean last = batch.removeIf(change -> change == END);
        try {
            if (batch.isEmpty() || last) {
                write(batch);
                force();
            } else {
                write(batch);
                compactIfLong();
            }
            written(batch);
        } catch (IOException broken) {
            owe(batch, broken);
        }
        return !last;
    }

    /// @return what is owed and what waits; empty if it is time to force
    private List<Change> next() throws InterruptedException {
        var wait = owed.isEmpty() ? FORCE_AFTER : TRY_AGAIN_AFTER;
        var first =
                unforced || !owed.isEmpty()
                        ? waiting.poll(wait.toMillis(), TimeUnit.MILLISECONDS)
                        : waiting.take();
        var batch = new ArrayList<>(owed);
        if (first != null) {
            batch.add(first);
            waiting.drainTo(batch);
        }
        return batch;
    }

    /// Writes all of it or nothing.
    private void write(List<Change> batch) throws IOException {
        long good = channel.size();
        try {
            write(channel, batch);
            unforced = true;
            if (System.nanoTime() - forcedNanos > FORCE_AFTER.toNanos()) {
                force();
            }
        } catch (IOException broken) {
            channel.truncate(good);
            throw broken;
        }
    }

    private void written(List<Change> batch) {
        if (failure != null) {
            LOG.log(System.Logger.Level.INFO, "file={0} can be written again", file);
        }
        owed = List.of();
        lock.lock();
        try {
            written.addAndGet(batch.size());
            failure = null;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
        counted.run();
    }

    private void owe(List<Change> batch, IOException broken) {
        if (failure == null) {
            LOG.log(System.Logger.Level.ERROR, "file=%s cannot be written".formatted(file), broken);
        }
        owed = batch;
        fail(broken.getMessage() + "; make room, then it goes on by itself");
    }

    private static void write(FileChannel to, List<Change> changes) throws IOException {
        var out = new ByteArrayOutputStream();
        changes.forEach(change -> Records.write(change, out));
        for (var bytes = ByteBuffer.wrap(out.toByteArray()); bytes.hasRemaining(); ) {
            to.write(bytes);
        }
    }

    private void force() throws IOException {
        channel.force(false);
        forcedNanos = System.nanoTime();
        unforced = false;
    }

    /// Puts a file with what is there now in the place of one that is mostly history. Changes that
    /// wait meanwhile are older than its start and are skipped when it is read.
    private void compactIfLong() throws IOException {
        if (channel.size()
                < Math.max(SMALLEST_TO_COMPACT_BYTES, GROWTH_TO_COMPACT * compactedBytes)) {
            return;
        }
        var next = file.resolveSibling("objects.log.new");
        try {
            channel = compacted(next);
        } catch (IOException full) {
            // The long file is as good; a shorter one is tried when it has grown on.
            LOG.log(System.Logger.Level.WARNING, "file=%s not written".formatted(next), full);
            Files.deleteIfExists(next);
        }
        compactedBytes = channel.size();
    }

    private FileChannel compacted(Path next) throws IOException {
        Files.write(next, Records.MAGIC);
        var fresh = appending(next);
        try {
            write(fresh, live.get());
            fresh.force(true);
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException full) {
            fresh.close();
            throw full;
        }
        channel.close();
        return fresh;
    }

    private void release() {
        try {
            channel.close();
            processLock.close();
        } catch (IOException broken) {
            LOG.log(System.Logger.Level.WARNING, "file=%s not closed".formatted(file), broken);
        }
    }

    /// Writes what waits, has the disk take it, and lets the folder go.
    @Override
    public void close() {
        waiting.add(END);
        try {
            writer.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
