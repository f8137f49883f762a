/// The worker's memory: device shards, host copies, poison. May import: `transport`, `array`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.store;

import org.jspecify.annotations.NullMarked;
