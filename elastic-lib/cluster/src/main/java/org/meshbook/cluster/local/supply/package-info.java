/// Slices of elastic programs that come and go through Kueue: each is a JobSet of its own, so that
/// the queue can take one and leave the others, and each of its pods is the worker of one host.
///
/// Main path: the head asks → QueueSupply.settle (Quotas, Shape) → QueueSupply.request → SliceJobs
/// → Kueue, JobSet and kubelet do as with any job → Standings tells the head what was decided
///
/// Threads: requests come on the guests' thread; Standings belongs to the loop's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.local.supply;

import org.jspecify.annotations.NullMarked;
