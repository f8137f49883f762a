package org.meshbook.cluster.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The workloads that wait in one queue: those to be tried, in order, and those that are parked
/// until something changes.
final class PendingQueue {
    /// Written out, for it is the innermost loop of everything here.
    private static final Comparator<Entry> ORDER =
            (a, b) -> {
                if (a.sticky != b.sticky) {
                    return a.sticky ? -1 : 1;
                }
                var one = a.workload;
                var other = b.workload;
                int order = Integer.compare(other.priority(), one.priority());
                order = order != 0 ? order : one.queuedAt().compareTo(other.queuedAt());
                order = order != 0 ? order : one.uid().compareTo(other.uid());
                return order != 0 ? order : one.key().compareTo(other.key());
            };

    private final boolean strict;
    private final boolean parksEquivalents;
    private final TreeSet<Entry> heap = new TreeSet<>(ORDER);
    private final Map<String, Entry> byKey = new HashMap<>();
    private final Map<String, Entry> parked = new LinkedHashMap<>();

    /// Those that may not be tried before they are offered again.
    private final Map<String, Entry> held = new LinkedHashMap<>();

    private final Set<Workload.Shape> hopeless = new HashSet<>();

    /// The head of a strict queue that did not fit: it is not tried again before something changes.
    private @Nullable Entry blocked;

    static final class Entry {
        final Workload workload;
        final boolean sticky;
        Assignment.Cursor cursor = Assignment.Cursor.START;

        Entry(Workload workload, boolean sticky) {
            this.workload = workload;
            this.sticky = sticky;
        }

        Entry copy() {
            var copy = new Entry(workload, sticky);
            copy.cursor = cursor;
            return copy;
        }
    }

    PendingQueue(boolean strict, boolean parksEquivalents) {
        this.strict = strict;
        this.parksEquivalents = parksEquivalents && !strict;
    }

    /// One that is parked and did not change stays parked.
    void offer(Workload workload) {
        var there = parked.get(workload.key());
        if (there != null && there.workload.equals(workload)) {
            return;
        }
        withdraw(workload.key());
        push(new Entry(workload, false));
    }

    /// Keeps one that may not be tried yet.
    void park(Workload workload) {
        withdraw(workload.key());
        held.put(workload.key(), new Entry(workload, false));
    }

    void withdraw(String key) {
        parked.remove(key);
        held.remove(key);
        var entry = byKey.remove(key);
        if (entry != null) {
            heap.remove(entry);
        }
        if (blocked != null && blocked.workload.key().equals(key)) {
            blocked = null;
        }
    }

    @Nullable Entry pop() {
        while (!heap.isEmpty() && heap.first() != blocked) {
            var entry = heap.removeFirst();
            byKey.remove(entry.workload.key());
            if (hopeless.isEmpty() || !hopeless.contains(entry.workload.shape())) {
                return entry;
            }
            parked.put(entry.workload.key(), entry);
        }
        return null;
    }

    void push(Entry entry) {
        heap.add(entry);
        byKey.put(entry.workload.key(), entry);
    }

    void pushSticky(Entry entry) {
        var sticky = new Entry(entry.workload, true);
        sticky.cursor = entry.cursor;
        push(sticky);
    }

    /// Takes back one that could not be admitted.
    void giveBack(Entry entry, boolean fitsNamespace) {
        if (strict && fitsNamespace) {
            push(entry);
            blocked = entry;
            return;
        }
        parked.put(entry.workload.key(), entry);
        if (parksEquivalents && fitsNamespace) {
            hopeless.add(entry.workload.shape());
        }
    }

    /// Lets the head of a strict queue be tried again.
    void unblock() {
        blocked = null;
    }

    /// Lets all be tried again.
    void flush() {
        blocked = null;
        hopeless.clear();
        parked.values().forEach(this::push);
        parked.clear();
    }

    boolean ready() {
        return !heap.isEmpty() && heap.first() != blocked;
    }

    boolean hasParked() {
        return !parked.isEmpty();
    }

    int active() {
        return heap.size();
    }

    int inadmissible() {
        return parked.size() + held.size();
    }

    /// All that wait, in the order in which they would be tried.
    List<Workload> inOrder() {
        var all = new ArrayList<>(heap);
        all.addAll(parked.values());
        all.addAll(held.values());
        all.sort(ORDER);
        return all.stream().map(e -> e.workload).toList();
    }

    PendingQueue copy() {
        var copy = new PendingQueue(strict, parksEquivalents);
        for (var entry : heap) {
            var mine = entry.copy();
            copy.push(mine);
            copy.blocked = entry == blocked ? mine : copy.blocked;
        }
        parked.forEach((key, entry) -> copy.parked.put(key, entry.copy()));
        held.forEach((key, entry) -> copy.held.put(key, entry.copy()));
        copy.hopeless.addAll(hopeless);
        return copy;
    }
}
