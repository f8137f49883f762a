package org.meshbook.cluster.rest;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;

/// The last changes of the objects of one kind, so that a client can go on from the version that it
/// knows: also what was deleted since is told. Threads: any.
final class Journal implements AutoCloseable {
    private static final int KEPT = 4096;
    private static final int GONE = 410;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<WatchEvent> events = new ArrayDeque<>();
    private final Set<Waiting> followers = new LinkedHashSet<>();
    private final Cluster.Watch watch;
    private boolean open;
    private long oldest;
    private long newest;

    /// Begins to keep changes.
    Journal(Cluster cluster, ResourceKind kind) {
        watch = cluster.watch(kind, this::add);
        lock.lock();
        try {
            // What was told up to here is no change; nobody has a version older than this.
            oldest = newest;
            open = true;
        } finally {
            lock.unlock();
        }
    }

    private void add(WatchEvent event) {
        lock.lock();
        try {
            newest = Math.max(newest, event.object().resourceVersion());
            if (!open) {
                return;
            }
            events.add(event);
            if (events.size() > KEPT) {
                oldest = events.remove().object().resourceVersion();
            }
            followers.forEach(each -> each.offer(event));
        } finally {
            lock.unlock();
        }
    }

    /// @return the version of the last change
    long version() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    /// @param after the version that is known
    /// @param waiting gets what happened since then, and what happens
    /// @return ends that
    /// @throws ApiException if that is not known any more, or never was
    Cluster.Watch follow(long after, Waiting waiting) {
        lock.lock();
        try {
            if (after < oldest || after > newest) {
                throw new ApiException(
                        GONE,
                        "Expired",
                        "too old resource version: %d (%d)".formatted(after, newest),
                        List.of());
            }
            events.stream()
                    .filter(event -> event.object().resourceVersion() > after)
                    .forEach(waiting::offer);
            followers.add(waiting);
        } finally {
            lock.unlock();
        }
        return () -> leave(waiting);
    }

    private void leave(Waiting waiting) {
        lock.lock();
        try {
            followers.remove(waiting);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
