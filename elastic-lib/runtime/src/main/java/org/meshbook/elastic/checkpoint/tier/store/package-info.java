/// Where checkpoints lie: folders and object stores, each with its way of committing as one.
///
/// May import: `checkpoint.tier.format`, `checkpoint.tier.bucket`. Way:
/// [org.meshbook.elastic.checkpoint.tier.store.StoreAt] →
/// [org.meshbook.elastic.checkpoint.tier.store.TierStore] → temporary place → manifest → commit.
/// Threads: one object a call of a host function. Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.store;

import org.jspecify.annotations.NullMarked;
