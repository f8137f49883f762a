/// How an array is cut into shards: boxes of elements, and which device holds which.
///
/// May import: `array`, `mesh`. Way: type and sharding →
/// [org.meshbook.elastic.array.shard.ShardMap] → [org.meshbook.elastic.array.shard.Region] → cut or
/// paste. Threads: everything is immutable. Stability: internal.
@NullMarked
package org.meshbook.elastic.array.shard;

import org.jspecify.annotations.NullMarked;
