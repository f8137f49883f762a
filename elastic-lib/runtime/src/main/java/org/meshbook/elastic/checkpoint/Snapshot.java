package org.meshbook.elastic.checkpoint;

import java.time.Instant;

/// A complete snapshot.
///
/// @param step the step that it was saved after
/// @param bytes that it holds on all workers
/// @param at when it was complete
public record Snapshot(long step, long bytes, Instant at) {}
