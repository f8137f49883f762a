/// What snapshots cost a training loop, and how fast they come back.
///
/// May import: what `bench` may. Main path: four slices of our own → a network of as many bytes as
/// asked for ([SnapshotLoop]) → saves, steps with and without them, restores after a real kill
/// ([SnapshotBench]) → table and JSON ([SnapshotResult]). Threads: the caller's. Stability:
/// internal.
@NullMarked
package org.meshbook.bench.snapshot;

import org.jspecify.annotations.NullMarked;
