package org.meshbook.elastic.slices;

/// How a slice was lost.
public enum LossKind {
    /// A process ended.
    PROCESS_GONE,
    /// A link closed while the process may live.
    LINK_CLOSED,
    /// Heartbeats were missed.
    HUNG,
    /// It announced that it leaves.
    ANNOUNCED,
    /// A peer or an operation reported trouble that may or may not be a loss.
    UNCERTAIN
}
