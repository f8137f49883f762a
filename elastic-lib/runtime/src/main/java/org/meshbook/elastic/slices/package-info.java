/// The ports of elasticity: slices, their health and events, typed loss, host copies of arrays, and
/// time.
///
/// `controller` implements the ports over real workers, `sim` over virtual ones; `manager`,
/// `checkpoint` and `data` see nothing else. May import: `mesh`, `array`. Threads: views and events
/// are immutable; ports say theirs. Stability: experimental.
@NullMarked
package org.meshbook.elastic.slices;

import org.jspecify.annotations.NullMarked;
