package org.meshbook.elastic.data;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.data.Batches.Read;
import org.meshbook.elastic.slices.Clock;

/// One thread that reads batches before they are asked for. It starts where it is told to, holds at
/// most so many batches, and ends when it is closed or a read fails.
final class Ahead<T> {
    private static final System.Logger LOG = System.getLogger(Feed.class.getName());
    private static final Duration LONG = Duration.ofDays(10_000);
    private static final Duration JOIN = Duration.ofSeconds(5);

    private final Batches<T> batches;
    private final Clock clock;
    private final int most;
    private final ConcurrentLinkedQueue<Read<T>> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger held = new AtomicInteger();
    private final Clock.Task task;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    Ahead(Batches<T> batches, long from, int tolerated) {
        this.batches = batches;
        this.clock = batches.options().clock();
        this.most = batches.options().ahead();
        this.task = clock.start("meshbook-data", () -> run(from, tolerated));
    }

    /// The next batch in order; waits for it.
    Read<T> take() {
        try {
            clock.await(LONG, () -> !ready.isEmpty() || task.done());
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for a batch", e);
        }
        var read = ready.poll();
        if (read != null) {
            held.decrementAndGet();
            clock.wake();
            return read;
        }
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> throw new IllegalStateException("reading ahead ended", failure);
        }
    }

    /// Ends the thread and waits for it, so that nothing of it is left.
    void close() {
        closed = true;
        task.interrupt();
        clock.wake();
        boolean interrupted = Thread.interrupted();
        try {
            if (!clock.await(JOIN, task::done)) {
                LOG.log(System.Logger.Level.WARNING, "a read still runs after={0}", JOIN);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(long from, int tolerated) {
        try {
            long next = from;
            int left = tolerated;
            while (!closed && !batches.ends(next)) {
                var read = batches.read(next, left);
                left -= read.taken().failed().size();
                next = batches.next(next);
                held.incrementAndGet();
                ready.add(read);
                clock.wake();
                clock.await(LONG, () -> closed || held.get() < most);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }
}
