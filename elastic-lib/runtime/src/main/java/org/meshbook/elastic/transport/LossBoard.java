package org.meshbook.elastic.transport;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// What is known lost, and up to which operation: the reason to stop waiting. Thread-safe.
///
/// Operation numbers ascend, so one number a slice says it all: operations before it were sent to
/// processes that are gone, later ones go to the processes that replaced them.
final class LossBoard {
    private record Entry(long beforeOp, Fault fault) {}

    private final Map<Integer, Entry> bySlice = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile long abandonedBefore;

    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /// Operations before `beforeOp` get nothing any more from a slice.
    void lose(int slice, long beforeOp, Fault fault) {
        bySlice.merge(
                slice,
                new Entry(beforeOp, fault),
                (old, now) -> old.beforeOp() >= now.beforeOp() ? old : now);
        listeners.forEach(Runnable::run);
    }

    /// Operations before `beforeOp` are given up, whoever they wait for.
    void abandon(long beforeOp) {
        abandonedBefore = beforeOp;
        listeners.forEach(Runnable::run);
    }

    /// @return why the operation gets nothing from the slice; null if it may
    @Nullable Fault fault(long op, int slice) {
        if (op < abandonedBefore) {
            return Fault.failed("the client that asked for it is gone");
        }
        var entry = bySlice.get(slice);
        return entry != null && op < entry.beforeOp() ? entry.fault() : null;
    }
}
