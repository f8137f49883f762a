/// Checkpoints in several tiers: RAM disks of the hosts, copies in the next slice, and a bucket or
/// a folder that outlives the machines. See docs/checkpoints.md.
///
/// May import: `slices`, `manager`, `checkpoint` and its rooms below. Way of a save: state →
/// [org.meshbook.elastic.checkpoint.tier.Checkpointer] → hosts write their shards → manifest →
/// commit. Way of a restore: what is really there → greatest complete step → hosts read → mesh.
/// Threads: saves and loads belong to the loop's thread; `checkpoint …` completes a save.
/// Stability: experimental.
@NullMarked
package org.meshbook.elastic.checkpoint.tier;

import org.jspecify.annotations.NullMarked;
