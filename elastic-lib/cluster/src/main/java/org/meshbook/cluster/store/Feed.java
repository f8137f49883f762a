package org.meshbook.cluster.store;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.WatchEvent;

/// What one listener has yet to hear, in order.
///
/// Nothing is told before it counts, that is before it is written. Whoever knows that more counts
/// delivers, unless another thread is delivering; then that one does. So a listener is called by
/// one thread at a time, without a lock, and one thread that waited for its write has been heard
/// when the write returns.
final class Feed implements Cluster.Watch {
    private static final System.Logger LOG = System.getLogger(Feed.class.getName());

    private final Consumer<WatchEvent> listener;
    private final Consumer<Feed> leave;
    private final LongSupplier written;
    private final ConcurrentLinkedQueue<Pending> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger callers = new AtomicInteger();
    private volatile boolean closed;

    /// @param number when the change counts
    private record Pending(long number, WatchEvent event) {}

    /// @param written the number up to which changes count
    Feed(Consumer<WatchEvent> listener, Consumer<Feed> leave, LongSupplier written) {
        this.listener = listener;
        this.leave = leave;
        this.written = written;
    }

    /// Puts an event in line; called under the store's lock, which gives the order.
    ///
    /// @param number the change's, in the file; 0 for one that counts already
    void offer(long number, WatchEvent event) {
        events.add(new Pending(number, event));
    }

    void deliver() {
        if (callers.getAndIncrement() > 0) {
            return;
        }
        do {
            long most = written.getAsLong();
            for (var next = events.peek();
                    next != null && next.number() <= most;
                    next = events.peek()) {
                events.poll();
                tell(next.event());
            }
        } while (callers.addAndGet(-callers.get()) > 0);
    }

    private void tell(WatchEvent event) {
        if (closed) {
            return;
        }
        try {
            listener.accept(event);
        } catch (RuntimeException broken) {
            LOG.log(System.Logger.Level.ERROR, "watch closed, its listener failed", broken);
            close();
        }
    }

    @Override
    public void close() {
        closed = true;
        leave.accept(this);
    }
}
