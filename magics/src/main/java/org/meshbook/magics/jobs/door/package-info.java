/// The way of magics to a cluster: which one, how its refusals read, how jobs are found in it and
/// how they fare.
///
/// Main path: ClusterDoor → KubernetesCluster → JobFinder → JobState → a line or a table
///
/// A job is a JobSet, RayJob, Job or RayCluster. How it fares is read from its own conditions and
/// from its Workload, so that it is the same on any cluster, whoever made the job.
///
/// May import: cluster, magics.render, magics.slices, magics.daily.files. Threads: the cell's; the
/// door may be asked by any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics.jobs.door;

import org.jspecify.annotations.NullMarked;
