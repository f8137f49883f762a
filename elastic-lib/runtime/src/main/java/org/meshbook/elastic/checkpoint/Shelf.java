package org.meshbook.elastic.checkpoint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The complete snapshots, newest first, and the count of what became of the others. Thread-safe.
final class Shelf {
    private final int kept;
    private final Deque<Held> held = new ArrayDeque<>();
    private SnapshotStats stats = SnapshotStats.NONE;

    Shelf(int kept) {
        this.kept = kept;
    }

    synchronized Optional<Held> newest() {
        return Optional.ofNullable(held.peekFirst());
    }

    synchronized List<Held> all() {
        return List.copyOf(held);
    }

    /// @return the newest one that fits, taken into use; the caller leaves it
    synchronized Optional<Held> use(Predicate<Held> which) {
        var found = held.stream().filter(which).findFirst();
        found.ifPresent(Held::use);
        return found;
    }

    /// A step that is saved again, after a rollback, takes the place of the older one.
    synchronized void add(Held complete) {
        drop(each -> each.step == complete.step);
        held.addFirst(complete);
        while (held.size() > kept) {
            held.removeLast().leave();
        }
        stats = stats.oneCompleted();
    }

    /// Takes over a snapshot that another shelf keeps, too.
    synchronized void share(Held used) {
        held.addFirst(used);
    }

    /// Puts a fresh copy in the place of an old one, unless the old one is gone: a newer snapshot
    /// that was completed meanwhile stays.
    synchronized void replace(Held old, Held fresh) {
        if (!held.contains(old)) {
            fresh.leave();
            stats = stats.oneCompleted();
            return;
        }
        var all = held.stream().map(each -> each == old ? fresh : each).toList();
        held.clear();
        held.addAll(all);
        old.leave();
        stats = stats.oneCompleted();
    }

    synchronized void drop(Predicate<Held> which) {
        var gone = held.stream().filter(which).toList();
        held.removeAll(gone);
        gone.forEach(Held::leave);
    }

    synchronized void accepted() {
        stats = stats.oneAccepted();
    }

    synchronized void skipped() {
        stats = stats.oneSkipped();
    }

    /// A copy was made anew, and a save was faster.
    synchronized void superseded() {
        stats = stats.oneCompleted();
    }

    synchronized void failed(Throwable why) {
        stats = stats.oneFailed(why);
    }

    synchronized SnapshotStats stats() {
        long bytes = held.stream().mapToLong(each -> each.copy.bytes()).sum();
        return stats.holding(bytes);
    }
}
