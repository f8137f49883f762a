package org.meshbook.elastic.sim;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Sharding;

/// A virtual array: its whole value, where it would lie, when it is computed, and its poison.
final class SimArray implements Array {
    final Simulation simulation;
    final HostArray value;
    final Sharding sharding;
    final Set<Integer> slices;
    final long born;
    final Duration readyAt;
    final List<SimArray> inputs;
    Set<Integer> poison = Set.of();
    @Nullable String freedBy;

    SimArray(
            Simulation simulation,
            HostArray value,
            Sharding sharding,
            Duration readyAt,
            List<SimArray> inputs,
            long born) {
        this.simulation = simulation;
        this.value = value;
        this.sharding = sharding;
        this.slices = sharding.mesh().slices();
        this.born = born;
        this.readyAt = readyAt;
        this.inputs = inputs;
        inherit();
    }

    /// Slices whose loss made it unreadable for ever; empty while it is good.
    Set<Integer> poison() {
        if (poison.isEmpty()) {
            poison = simulation.head().lostSince(slices, born);
        }
        return poison;
    }

    /// Takes over the poison of inputs that were lost before this array was computed.
    void inherit() {
        if (!poison.isEmpty()) {
            return;
        }
        var taken = new TreeSet<Integer>();
        inputs.forEach(input -> taken.addAll(input.poison()));
        poison = taken;
    }

    @Override
    public ArrayType type() {
        return value.type();
    }

    @Override
    public HostArray toHost() {
        simulation.read(this);
        return value;
    }

    @Override
    public int precedence() {
        return 1;
    }

    @Override
    public Array apply(Op op, List<Array> operands) {
        return simulation.compute(
                sharding, Duration.ZERO, operands, values -> Evaluator.LOCAL.evaluate(op, values));
    }

    @Override
    public String toString() {
        return type() + " on " + sharding.mesh() + (poison().isEmpty() ? "" : ", lost");
    }
}
