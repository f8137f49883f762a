package org.meshbook.elastic.checkpoint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// The complete snapshots, newest first, and the count of what became of the others. Thread-safe.
final class Shelf {
    private final int kept;
    private final Deque<Held> held = new ArrayDeque<>();
    private SnapshotStats stats = new SnapshotStats(0, 0, 0, 0, Optional.empty());

    Shelf(int kept) {
        this.kept = kept;
    }

    synchronized Optional<Held> newest() {
        return Optional.ofNullable(held.peekFirst());
    }

    synchronized void add(Held complete) {
        held.addFirst(complete);
        while (held.size() > kept) {
            held.removeLast().drop();
        }
        stats = stats.plus(0, 1, 0, 0, Optional.empty());
    }

    /// Puts a fresh copy in the place of an old one, unless the old one is gone.
    synchronized void replace(Held old, Held fresh) {
        if (!held.contains(old)) {
            fresh.drop();
            return;
        }
        var all = held.stream().map(each -> each == old ? fresh : each).toList();
        held.clear();
        held.addAll(all);
        old.drop();
    }

    synchronized void forget(Held gone) {
        if (held.remove(gone)) {
            gone.drop();
        }
    }

    synchronized void clear() {
        held.forEach(Held::drop);
        held.clear();
    }

    synchronized void accepted() {
        stats = stats.plus(1, 0, 0, 0, Optional.empty());
    }

    synchronized void skipped() {
        stats = stats.plus(0, 0, 1, 0, Optional.empty());
    }

    synchronized void failed(Throwable why) {
        stats = stats.plus(0, 0, 0, 1, Optional.of(why));
    }

    synchronized SnapshotStats stats() {
        return stats;
    }
}
