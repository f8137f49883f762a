package org.meshbook.elastic.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.meshbook.elastic.slices.hosts.HostResults;

/// A fault whose moment came.
///
/// @param at wall time
/// @param elapsed the clock's monotonic time
/// @param step the step completed last; -1 outside a run
/// @param kind what was done
/// @param slice to which slice
/// @param heldBack why it was not done after all; empty if it was
/// @param told what the slice's hosts answer about it; empty if nobody asked them
record Struck(
        Instant at,
        Duration elapsed,
        long step,
        FaultKind kind,
        int slice,
        String heldBack,
        Optional<HostResults> told) {
    boolean done() {
        return heldBack.isEmpty();
    }
}
