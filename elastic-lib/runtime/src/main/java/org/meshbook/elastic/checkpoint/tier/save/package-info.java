/// How a step gets into a tier: who writes which shard, where the copy goes, when it is committed.
///
/// May import: `slices`, `checkpoint.tier.host`, `.store`, `.format`. Way: types and shardings →
/// [org.meshbook.elastic.checkpoint.tier.save.Shares] →
/// [org.meshbook.elastic.checkpoint.tier.save.TierWrite] → manifest → commit. Threads: the
/// caller's. Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.save;

import org.jspecify.annotations.NullMarked;
