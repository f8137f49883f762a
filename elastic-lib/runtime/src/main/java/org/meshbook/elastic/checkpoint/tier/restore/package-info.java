/// What can be restored, and how: candidates from what is really there, and their bytes onto a
/// mesh.
///
/// May import: `slices`, `checkpoint.tier.host`, `.store`, `.format`. Way:
/// [org.meshbook.elastic.checkpoint.tier.restore.Catalog] →
/// [org.meshbook.elastic.checkpoint.tier.restore.Candidate] →
/// [org.meshbook.elastic.checkpoint.tier.restore.Reading] → arrays. Threads: the caller's.
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.restore;

import org.jspecify.annotations.NullMarked;
