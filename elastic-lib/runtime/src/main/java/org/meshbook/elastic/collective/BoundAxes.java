package org.meshbook.elastic.collective;

import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Axis;

/// The axes that a function may speak of while it is traced for one device of many.
///
/// @param axes of the mesh that `shardMap` was given
/// @param lead an array of the function; what has no operand is written down beside it
public record BoundAxes(List<Axis> axes, Array lead) {
    private static final ScopedValue<BoundAxes> CURRENT = ScopedValue.newInstance();

    public BoundAxes {
        axes = List.copyOf(axes);
    }

    /// @return the axes bound on this thread
    public static Optional<BoundAxes> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /// Runs something with these axes bound on this thread.
    ///
    /// @param body what to run
    /// @param <R> type of its result
    /// @return its result
    public <R> R bind(ScopedValue.CallableOp<R, RuntimeException> body) {
        return ScopedValue.where(CURRENT, this).call(body);
    }

    /// @param asked the operation that names the axis, for the error
    /// @param name an axis' name
    /// @return its size
    /// @throws UsageError if no `shardMap` binds such an axis; lists those that are bound
    static int size(String asked, String name) {
        var bound = of(asked, name);
        return bound.axes().stream()
                .filter(axis -> axis.name().equals(name))
                .mapToInt(Axis::size)
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "%s over axis '%s': the mesh of this shardMap has %s",
                                        asked, name, bound.axes()));
    }

    static BoundAxes of(String asked, String name) {
        return current()
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "%s over axis '%s' stands outside of shardMap, where arrays"
                                                + " are whole; use sum, or put it in a function given"
                                                + " to shardMap",
                                        asked, name));
    }
}
