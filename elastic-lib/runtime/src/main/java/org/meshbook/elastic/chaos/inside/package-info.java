/// The part of faults that happens inside a worker's process, as host functions.
///
/// May import: `slices`, `transport`, `checkpoint.tier.store`. Threads: the lane that the call
/// chooses. Stability: internal.
@NullMarked
package org.meshbook.elastic.chaos.inside;

import org.jspecify.annotations.NullMarked;
