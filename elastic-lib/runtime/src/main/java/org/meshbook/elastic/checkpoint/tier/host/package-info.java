/// What hosts do for tiers, as host functions: write shards, commit, look, read, tidy up.
///
/// May import: `slices`, `checkpoint.tier.store`, `checkpoint.tier.format`. Way: request as JSON →
/// host function → [org.meshbook.elastic.checkpoint.tier.store.TierStore] → answer as JSON.
/// Threads: the lane of the call. Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.host;

import org.jspecify.annotations.NullMarked;
