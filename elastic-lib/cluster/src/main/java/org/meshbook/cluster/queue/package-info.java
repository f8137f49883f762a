/// The rules by which Kueue shares quota: who is admitted, on which flavor, who waits and why, who
/// must go.
///
/// Nothing here knows of objects, clocks or threads: a [QueueState] is told what is configured,
/// what waits and what holds quota, and [QueueState#cycle] answers with a list of [Decision]s. What
/// a decision costs depends on the heads of the queues and on the queues of one cohort, not on how
/// many workloads wait.
///
/// Main path: QueueState.offer → PendingQueue → QueueState.cycle → FlavorAssigner → Preemption →
/// Decision
///
/// May import: cluster. Threads: a QueueState belongs to one thread; all else is immutable.
///
/// Sources: Kueue 0.14.8, 0.17.0 and 0.19.2, whose differences are the [Rules]'s.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.queue;

import org.jspecify.annotations.NullMarked;
