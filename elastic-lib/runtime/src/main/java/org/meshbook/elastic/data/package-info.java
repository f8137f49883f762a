/// Data whose position is one integer, whatever the mesh.
///
/// May import: `slices`, `array`, `data.source`. Way: [Data][org.meshbook.elastic.data.Data]
/// `.of(images, labels)` → `shuffle(7)` → `batch(96)` →
/// [Batches][org.meshbook.elastic.data.Batches] `.from(state.position())` →
/// [Feed][org.meshbook.elastic.data.Feed] `.next()` → a tree of host arrays → `put` onto the mesh
/// of the attempt. [Audit][org.meshbook.elastic.data.Audit] proves that each row was used once.
/// Threads: a feed belongs to one thread and reads ahead on another, which ends with it; all else
/// is immutable. Source: Grain's elastic iterator, https://github.com/google/grain. Stability:
/// experimental.
@NullMarked
package org.meshbook.elastic.data;

import org.jspecify.annotations.NullMarked;
