package org.meshbook.cluster.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.WatchEvent;

/// The latest changes of one kind, for watches that go on where they ended.
///
/// Belongs to the store, which holds its lock.
final class History {
    private static final int LONGEST = 1_000;

    private final Deque<WatchEvent> events = new ArrayDeque<>();
    private long forgotten;

    /// @param version the store's counter, up to which nothing is known
    History(long version) {
        forgotten = version;
    }

    void forgetUpTo(long version) {
        events.clear();
        forgotten = version;
    }

    void add(WatchEvent event) {
        events.addLast(event);
        if (events.size() > LONGEST) {
            forgotten = events.removeFirst().object().resourceVersion();
        }
    }

    /// @param since a version
    /// @return the changes after it
    /// @throws ApiException if some are forgotten
    List<WatchEvent> after(long since) {
        if (since < forgotten) {
            throw ApiException.expired(since, forgotten);
        }
        return events.stream().filter(e -> e.object().resourceVersion() > since).toList();
    }
}
