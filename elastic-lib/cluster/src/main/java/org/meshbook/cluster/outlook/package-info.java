/// What a person wants to know of the queue: who stands where, who holds what, why a job waits, how
/// long still, and what would happen if.
///
/// Main path: Cluster → Snapshot → ([Standing], [QuotaUse], [Why]) or a copy of its state →
/// [Rehearsal] → ([Forecast], [Estimate])
///
/// Everything is read from objects, so that it works for a real cluster as for the embedded one,
/// and nothing is written.
///
/// May import: cluster, cluster.kueue, cluster.queue, cluster.print. Threads: one a snapshot.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.outlook;

import org.jspecify.annotations.NullMarked;
