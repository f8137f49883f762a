/// Snapshots of a tree of arrays in the memory of the workers that hold it.
///
/// May import: `slices`, `array`, `mesh`, `manager`. Way:
/// [Snapshotter][org.meshbook.elastic.checkpoint.Snapshotter] `.save(step, state)` → check that
/// every array is whole at each replica → copies start, the loop goes on → all complete → latest.
/// `restoreLatestOr` → real reads → one set of survivors for the whole tree → load onto the new
/// mesh. Threads: `save` and `load` belong to the loop's thread, one short-lived thread waits for
/// each copy, everything else is safe on any. Source: Orbax's in-memory snapshots,
/// https://github.com/google/orbax. Stability: experimental.
@NullMarked
package org.meshbook.elastic.checkpoint;

import org.jspecify.annotations.NullMarked;
