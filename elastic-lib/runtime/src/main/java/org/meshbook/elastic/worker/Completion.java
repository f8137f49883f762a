package org.meshbook.elastic.worker;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.transport.Fault;

/// Counts the devices that are done with an operation and remembers the gravest fault: what is
/// wrong with a program says more than a loss that came of it, and a loss more than nothing.
final class Completion {
    private final AtomicInteger left;
    private final AtomicReference<@Nullable Fault> gravest = new AtomicReference<>();
    private final Consumer<Fault[]> whenAll;

    Completion(int count, Consumer<Fault[]> whenAll) {
        this.left = new AtomicInteger(count);
        this.whenAll = whenAll;
    }

    void done() {
        if (left.decrementAndGet() == 0) {
            var fault = gravest.get();
            whenAll.accept(fault == null ? new Fault[0] : new Fault[] {fault});
        }
    }

    void failed(Fault fault) {
        gravest.accumulateAndGet(
                fault,
                (old, now) -> old == null || (now != null && grave(now) > grave(old)) ? now : old);
        done();
    }

    private static int grave(Fault fault) {
        return switch (fault.kind()) {
            case USAGE -> 2;
            case FAILED, MEMORY -> 1;
            case LOST -> 0;
        };
    }
}
