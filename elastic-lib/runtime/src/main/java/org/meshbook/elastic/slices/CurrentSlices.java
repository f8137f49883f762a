package org.meshbook.elastic.slices;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.meshbook.elastic.UsageError;

/// The allocation that cells of this process work with, set by whoever provisions it.
///
/// A notebook has one allocation at a time, as a program has one standard output; library code
/// takes a [Slices] instead.
public final class CurrentSlices {
    private static final AtomicReference<Optional<Slices>> CURRENT =
            new AtomicReference<>(Optional.empty());

    private CurrentSlices() {}

    /// @return the allocation
    /// @throws UsageError if there is none
    public static Slices get() {
        return CURRENT.get()
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "no slices are provisioned; ask for some first, as in %slices 4"));
    }

    /// @return the allocation, if there is one
    public static Optional<Slices> find() {
        return CURRENT.get();
    }

    /// @param slices the allocation from now on, or empty after a release
    public static void set(Optional<Slices> slices) {
        CURRENT.set(slices);
    }
}
