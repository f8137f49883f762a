/// How fast a state goes to the tiers of checkpoints and comes back.
///
/// May import: everything that a user may. Way: [org.meshbook.bench.checkpoint.CheckpointSuite] →
/// slices of its own → [org.meshbook.bench.checkpoint.CheckpointBench] → table. Threads: the
/// caller's. Stability: internal.
@NullMarked
package org.meshbook.bench.checkpoint;

import org.jspecify.annotations.NullMarked;
