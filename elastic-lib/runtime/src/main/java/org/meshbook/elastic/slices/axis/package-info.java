/// Meshes and arrays taken apart along an axis of the mesh, and joined again.
///
/// May import: `slices`, `array`, `mesh`. Way:
/// [AxisSplit][org.meshbook.elastic.slices.axis.AxisSplit] `.along("replica").of(tree)` → one tree
/// a position, each on its own sub-mesh, sharing the memory of the whole. Threads: everything is
/// immutable. Source: Pathways' `split_by_mesh_axis` and `concat_by_mesh_axis`. Stability:
/// experimental.
@NullMarked
package org.meshbook.elastic.slices.axis;

import org.jspecify.annotations.NullMarked;
