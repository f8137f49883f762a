/// What changed from one snapshot to another.
///
/// May import: `checkpoint.unit`, `checkpoint.load`, `slices`, `array`, `mesh`, `manager`. Way: two
/// [sides][org.meshbook.elastic.checkpoint.diff.Differ.Side] → one replica that holds both → leaf
/// by leaf onto its devices → norms there → [Diff][org.meshbook.elastic.checkpoint.diff.Diff].
/// Threads: the caller's. Stability: experimental.
@NullMarked
package org.meshbook.elastic.checkpoint.diff;

import org.jspecify.annotations.NullMarked;
