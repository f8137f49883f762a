package org.meshbook.elastic.manager;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.meshbook.elastic.slices.Slices.Subscription;

/// Tells events in one order, one at a time: whoever brings the first one tells those that others
/// bring meanwhile, so that no lock is held while a listener runs.
final class Events {
    private static final System.Logger LOG = System.getLogger(Manager.class.getName());

    private final Queue<ElasticEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger untold = new AtomicInteger();
    private final List<Consumer<? super ElasticEvent>> listeners = new CopyOnWriteArrayList<>();

    Subscription listen(Consumer<? super ElasticEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void tell(ElasticEvent event) {
        waiting.add(event);
        if (untold.getAndIncrement() > 0) {
            return;
        }
        do {
            var next = waiting.remove();
            listeners.forEach(listener -> tell(listener, next));
        } while (untold.decrementAndGet() > 0);
    }

    boolean allTold() {
        return untold.get() == 0;
    }

    private static void tell(Consumer<? super ElasticEvent> listener, ElasticEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a listener failed on event=" + event, e);
        }
    }
}
