/// The worker's memory: device shards, poison, and host copies with their checksums.
///
/// May import: `transport`, `array`. Way: device thread → [org.meshbook.elastic.store.DeviceStore]
/// → [org.meshbook.elastic.store.Shard]; host thread → [org.meshbook.elastic.store.HostCopies].
/// Threads: everything is thread-safe. Stability: internal.
@NullMarked
package org.meshbook.elastic.store;

import org.jspecify.annotations.NullMarked;
