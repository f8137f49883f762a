/// The controller of JobSets, their rules, and the exclusive placement of their pods.
///
/// Main path: JobSet and its Jobs → ChildJobs → JobSetPlan → JobSetController → Cluster
///
/// What to do is decided by pure functions over the set, its jobs and the time; the controller does
/// it. [JobSetRules] and [ExclusivePlacement] are what JobSet's webhooks are in a real cluster.
///
/// May import: cluster, cluster.control. Threads: the loop's; hooks may be called by any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.jobs.set;

import org.jspecify.annotations.NullMarked;
