package org.meshbook.elastic.manager.health;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.Slices;

/// Finds out which slices are healthy; `Slices::probe` unless a program knows better. Called on any
/// thread, also while the program runs.
@FunctionalInterface
public interface SliceProbe {
    /// Asks all slices first, then waits for each, so that it costs the slowest and not the sum.
    ///
    /// @param slices of the allocation
    /// @param asked indices, not empty
    /// @param timeout for each slice
    /// @return what was found; a slice that is missing is [Health#UNREACHABLE]
    /// @throws InterruptedException if the thread is interrupted
    Map<Integer, Health> probe(Slices slices, Set<Integer> asked, Duration timeout)
            throws InterruptedException;
}
