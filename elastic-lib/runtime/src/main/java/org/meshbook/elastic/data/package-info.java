/// Data whose position is one integer, whatever the mesh.
///
/// May import: `slices`, `array`. Way: [Batches][org.meshbook.elastic.data.Batches] `.of(rows,
/// 128)` `.shuffled(seed)` → `at(position)` → a tree of host arrays → `put` onto the mesh of the
/// attempt. Threads: immutable. Source: Grain's elastic iterator, https://github.com/google/grain.
/// Stability: experimental.
@NullMarked
package org.meshbook.elastic.data;

import org.jspecify.annotations.NullMarked;
