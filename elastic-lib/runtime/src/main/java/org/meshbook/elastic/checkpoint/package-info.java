/// Snapshots of a tree of arrays in the memory of the workers that hold it. May import: `slices`,
/// `array`, `mesh`, `manager`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint;

import org.jspecify.annotations.NullMarked;
