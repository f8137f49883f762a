package org.meshbook.elastic.controller;

import java.util.List;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.jit.Eager;
import org.meshbook.elastic.jit.Executor;
import org.meshbook.elastic.jit.Placed;
import org.meshbook.elastic.mesh.Sharding;

/// An array whose shards lie on devices of workers; the object is a name for them.
///
/// Printing it never asks a device. When nothing refers to it any more its memory is freed.
final class PlacedArray implements Placed {
    private final MeshRuntime runtime;
    private final ArrayState state;

    PlacedArray(MeshRuntime runtime, ArrayState state) {
        this.runtime = runtime;
        this.state = state;
    }

    MeshRuntime runtime() {
        return runtime;
    }

    ArrayState state() {
        return state;
    }

    @Override
    public Sharding sharding() {
        return state.sharding();
    }

    @Override
    public Executor executor() {
        return runtime;
    }

    @Override
    public Set<Integer> lostSlices() {
        return state.lostSlices();
    }

    @Override
    public ArrayType type() {
        return state.type();
    }

    /// Copies the value here, each part from one healthy device that holds it; blocks until it is
    /// computed.
    ///
    /// @throws org.meshbook.elastic.slices.SliceLost at once if it is lost, or as soon as it is
    /// @throws RunFailed if a device could not compute it
    /// @throws org.meshbook.elastic.UsageError if it was freed
    /// @throws org.meshbook.elastic.Interrupted if the thread is interrupted
    @Override
    public HostArray toHost() {
        return runtime.fetch(this);
    }

    @Override
    public int precedence() {
        return 1;
    }

    @Override
    public Array apply(Op op, List<Array> operands) {
        return Eager.apply(op, operands);
    }

    @Override
    public String toString() {
        if (state.isFreed()) {
            return type() + " freed" + state.freedBy().map(by -> " " + by).orElse("");
        }
        return state.fault()
                .map(fault -> type() + " " + Failures.words(state, fault))
                .orElseGet(() -> type() + " on " + sharding().mesh() + ", " + cut());
    }

    private String cut() {
        if (sharding().isReplicated()) {
            return "replicated";
        }
        var text = sharding().toString();
        return "cut " + text.substring(text.indexOf('('), text.indexOf(')') + 1);
    }
}
