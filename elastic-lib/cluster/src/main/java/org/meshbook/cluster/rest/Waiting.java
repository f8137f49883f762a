package org.meshbook.cluster.rest;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.WatchEvent;

/// The changes that one client has yet to read; one that reads too slowly is overrun.
final class Waiting {
    private static final int MOST = 100_000;

    private final LinkedBlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>(MOST);
    private final Predicate<Resource> wanted;
    private volatile boolean overrun;

    Waiting(Predicate<Resource> wanted) {
        this.wanted = wanted;
    }

    void offer(WatchEvent event) {
        if (wanted.test(event.object()) && !events.offer(event)) {
            overrun = true;
        }
    }

    @Nullable WatchEvent poll(long nanos) throws InterruptedException {
        return events.poll(nanos, TimeUnit.NANOSECONDS);
    }

    int size() {
        return events.size();
    }

    boolean overrun() {
        return overrun;
    }
}
