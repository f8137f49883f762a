package org.meshbook.elastic.controller;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.transport.Fault;

/// What is known of a placed array, apart from the object that a program holds: when that becomes
/// unreachable, this frees the devices' memory.
final class ArrayState implements Runnable {
    private final long id;
    private final ArrayType type;
    private final Sharding sharding;
    private final LossBook.Stamp stamp;
    private final LossBook losses;
    private final Consumer<ArrayState> onFree;
    private final AtomicBoolean freed = new AtomicBoolean();
    private volatile Optional<String> freedBy = Optional.empty();
    private volatile Optional<Fault> poison = Optional.empty();
    private volatile Operations.@Nullable Pending madeBy;

    ArrayState(
            long id,
            ArrayType type,
            Sharding sharding,
            LossBook losses,
            Consumer<ArrayState> onFree) {
        this.id = id;
        this.type = type;
        this.sharding = sharding;
        this.losses = losses;
        this.stamp = losses.stamp(sharding.mesh().slices());
        this.onFree = onFree;
    }

    long id() {
        return id;
    }

    ArrayType type() {
        return type;
    }

    Sharding sharding() {
        return sharding;
    }

    LossBook.Stamp stamp() {
        return stamp;
    }

    void madeBy(Operations.Pending operation) {
        madeBy = operation;
        operation.whenDone(() -> madeBy = null);
    }

    /// @return whether every worker has reported that it is in place, or why it is not
    boolean settled() {
        var operation = madeBy;
        return operation == null || operation.done() || poisoned();
    }

    /// Poisons it, unless it is already.
    void poison(Fault fault) {
        if (poison.isEmpty()) {
            poison = Optional.of(fault);
        }
    }

    boolean poisoned() {
        return poison.isPresent() || losses.lost(stamp);
    }

    /// @return why it has no value; a lost slice of its own says more than what a worker reported
    Optional<Fault> fault() {
        var loss = losses.loss(stamp);
        return loss.isPresent() ? loss.map(l -> Fault.lost(l.slice(), l.cause())) : poison;
    }

    /// @throws UsageError if it was freed
    void requireUsable() {
        if (freed.get()) {
            throw new UsageError(
                    "array %s was freed %s; keep it, or make it outside",
                    type, freedBy.orElse("already"));
        }
    }

    boolean isFreed() {
        return freed.get();
    }

    Optional<String> freedBy() {
        return freedBy;
    }

    /// Frees it on purpose.
    void free(String why) {
        freedBy = Optional.of(why);
        run();
    }

    /// Frees it, once.
    @Override
    public void run() {
        if (freed.compareAndSet(false, true)) {
            onFree.accept(this);
        }
    }

    /// @return bytes on all devices
    long bytes() {
        long pieces = 1;
        for (int dim = 0; dim < type.shape().rank(); dim++) {
            pieces *= sharding.pieces(dim);
        }
        return type.bytes() / pieces * sharding.mesh().devices().size();
    }
}
