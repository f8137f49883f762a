package org.meshbook.elastic.worker;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.wire.proto.Published;

/// Who may write here, and what has a name and so outlives its client. Thread-safe.
final class Tenancy {
    private final WorkerServer worker;
    private final AtomicReference<@Nullable Dispatcher> writer = new AtomicReference<>();
    private volatile Set<Long> arrays = Set.of();

    Tenancy(WorkerServer worker) {
        this.worker = worker;
    }

    /// A client begins: the one before it writes no more, and what still waits for it is given up.
    void begins(Dispatcher fresh, long firstOp) {
        var before = writer.getAndSet(fresh);
        if (before != null && before != fresh) {
            before.replaced();
        }
        worker.exchange().abandon(firstOp);
    }

    /// @return whether observers may fetch an array
    boolean isPublished(long array) {
        return arrays.contains(array);
    }

    /// @return numbers of published arrays
    Set<Long> published() {
        return arrays;
    }

    /// Goes on from an image.
    void resumed(Set<Long> published) {
        arrays = published;
    }

    /// Takes over what is published, and frees what an earlier client left without a name, once its
    /// work is done.
    void publish(Published published) {
        arrays = Set.copyOf(published.getArraysList());
        long before = published.getFreeBefore();
        if (before == 0) {
            return;
        }
        var copies = Set.copyOf(published.getCopiesList());
        for (var device : worker.devices()) {
            device.thread()
                    .add(
                            () -> {
                                device.store().free(left(device.store().numbers(), arrays, before));
                                // A copy that the device had handed over is made by then.
                                worker.hostThread().add(() -> release(copies, before));
                            });
        }
    }

    private void release(Set<Long> kept, long before) {
        left(worker.copies().numbers(), kept, before).forEach(worker.copies()::release);
    }

    private static List<Long> left(Set<Long> all, Set<Long> kept, long before) {
        var left = new HashSet<>(all);
        left.removeAll(kept);
        return left.stream().filter(number -> number < before).toList();
    }
}
