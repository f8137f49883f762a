/// Kueue over a [org.meshbook.cluster.Cluster]: objects in, the rules of
/// [org.meshbook.cluster.queue] in the middle, conditions, events and started jobs out.
///
/// Main path: Job → JobController → Workload → QueueController (→ QueueState) → Workload's
/// admission → WorkloadController (checks) → JobController → Job started
///
/// Eviction goes the other way in two steps: a condition on the Workload first; the quota is given
/// back when the job has no pods left.
///
/// May import: cluster.control, cluster.queue. Threads: all controllers of one [Kueue] belong to
/// one loop and share its QueueState; hooks may be called by any thread.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.kueue;

import org.jspecify.annotations.NullMarked;
