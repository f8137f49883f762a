package org.meshbook.elastic.controller;

import java.util.Optional;
import java.util.Set;
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
    private volatile Optional<Poison> poison = Optional.empty();
    private volatile String name = "";
    private volatile String owner = "";
    private volatile Operations.@Nullable Pending madeBy;

    /// @param fault why it has no value
    /// @param blame slices and incarnations whose loss explains it
    private record Poison(Fault fault, LossBook.Stamp blame) {}

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

    /// @param path where it stands in the program's state, for errors
    void named(String path) {
        name = path;
    }

    String name() {
        return name;
    }

    /// @param by who made it, as "cell 5, attempt 2"
    void owned(String by) {
        owner = by;
    }

    String owner() {
        return owner;
    }

    /// @return as "array 'params.w1' f32[64,128]"
    String words() {
        return "array " + (name.isEmpty() ? "" : "'" + name + "' ") + type;
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
        poison(fault, losses.stamp(fault.slices()));
    }

    /// Poisons it if another is, for the same reason.
    void poisonLike(ArrayState other) {
        other.fault().ifPresent(fault -> poison(fault, other.blame()));
    }

    private void poison(Fault fault, LossBook.Stamp blame) {
        if (poison.isEmpty()) {
            poison = Optional.of(new Poison(fault, blame));
        }
    }

    /// @return slices and incarnations whose loss explains why it has no value
    LossBook.Stamp blame() {
        return losses.lost(stamp) ? stamp : poison.map(Poison::blame).orElse(stamp);
    }

    /// @return the loss that it has no value for, if one is known
    Optional<Loss> loss() {
        return losses.loss(blame());
    }

    /// @return slices that held a part of it and were lost since
    Set<Integer> lostSlices() {
        return losses.lostSlices(stamp);
    }

    boolean poisoned() {
        return poison.isPresent() || losses.lost(stamp);
    }

    /// @return why it has no value; a lost slice of its own says more than what a worker reported
    Optional<Fault> fault() {
        var loss = losses.loss(stamp);
        return loss.isPresent()
                ? loss.map(l -> Fault.lost(l.slice(), l.cause()))
                : poison.map(Poison::fault);
    }

    /// @throws UsageError if it was freed
    void requireUsable() {
        if (freed.get()) {
            throw new UsageError(
                    "%s was freed %s; keep it, or make it outside",
                    words(), freedBy.orElse("already"));
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
