/// Which node a pod runs on.
///
/// Main path: pending Pod → Scheduler → Filters over NodeViews → bind, or Preemption, or a reason
///
/// Reasons are worded as the real scheduler's. Where several nodes are as good, the first by name
/// is taken; the real one draws.
///
/// May import: cluster, cluster.control. Threads: the loop's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.nodes.schedule;

import org.jspecify.annotations.NullMarked;
