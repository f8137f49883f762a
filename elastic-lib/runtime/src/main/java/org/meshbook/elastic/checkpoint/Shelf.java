package org.meshbook.elastic.checkpoint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The complete snapshots, newest first, and the count of what became of the others. Thread-safe.
final class Shelf {
    private final int kept;
    private final Deque<Held> held = new ArrayDeque<>();
    private SnapshotStats stats = SnapshotStats.NONE;
    private volatile Runnable onChange = () -> {};

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

    /// @param listener hears of each change, before what left the shelf is freed
    void onChange(Runnable listener) {
        onChange = listener;
    }

    /// A step that is saved again, after a rollback, takes the place of the older one.
    void add(Held complete) {
        change(
                () -> {
                    var gone = remove(each -> each.step == complete.step);
                    held.addFirst(complete);
                    while (held.size() > kept) {
                        gone.add(held.removeLast());
                    }
                    stats = stats.oneCompleted();
                    return gone;
                });
    }

    /// Takes over a snapshot that another shelf keeps, too.
    synchronized void share(Held used) {
        held.addFirst(used);
    }

    /// Puts a fresh copy in the place of an old one, unless the old one is gone: a newer snapshot
    /// that was completed meanwhile stays.
    void replace(Held old, Held fresh) {
        change(
                () -> {
                    stats = stats.oneCompleted();
                    if (!held.contains(old)) {
                        return List.of(fresh);
                    }
                    var all = held.stream().map(each -> each == old ? fresh : each).toList();
                    held.clear();
                    held.addAll(all);
                    return List.of(old);
                });
    }

    void drop(Predicate<Held> which) {
        change(() -> remove(which));
    }

    private List<Held> remove(Predicate<Held> which) {
        var gone = new ArrayList<>(held.stream().filter(which).toList());
        held.removeAll(gone);
        return gone;
    }

    /// Whoever hands the ring on must have told of the new one before the old one's memory goes: a
    /// program that dies in between would leave neither.
    private void change(Supplier<List<Held>> work) {
        List<Held> gone;
        synchronized (this) {
            gone = work.get();
        }
        onChange.run();
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
