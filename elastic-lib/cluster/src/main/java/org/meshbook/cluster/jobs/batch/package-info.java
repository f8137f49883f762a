/// The controller of `batch/v1` Jobs.
///
/// Main path: Job and its Pods → PodTally → JobPlan → JobController → Cluster
///
/// What to do is decided by pure functions over the job, its pods and the time; the controller does
/// it. As the real one, it looks at a job one second after a change of its pods.
///
/// May import: cluster, cluster.control. Threads: the loop's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.jobs.batch;

import org.jspecify.annotations.NullMarked;
