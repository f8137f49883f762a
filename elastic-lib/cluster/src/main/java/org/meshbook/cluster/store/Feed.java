package org.meshbook.cluster.store;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.WatchEvent;

/// What one listener has yet to hear, in order.
///
/// Whoever brings an event also delivers it, unless another thread is delivering; then that one
/// does. So a listener is called by one thread at a time, without a lock, and one thread that
/// writes has been heard when its write returns.
final class Feed implements Cluster.Watch {
    private static final System.Logger LOG = System.getLogger(Feed.class.getName());

    private final Consumer<WatchEvent> listener;
    private final Consumer<Feed> leave;
    private final ConcurrentLinkedQueue<WatchEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger callers = new AtomicInteger();
    private volatile boolean closed;

    Feed(Consumer<WatchEvent> listener, Consumer<Feed> leave) {
        this.listener = listener;
        this.leave = leave;
    }

    /// Puts an event in line; called under the store's lock, which gives the order.
    void offer(WatchEvent event) {
        events.add(event);
    }

    void deliver() {
        if (callers.getAndIncrement() > 0) {
            return;
        }
        do {
            for (var event = events.poll(); event != null; event = events.poll()) {
                tell(event);
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
