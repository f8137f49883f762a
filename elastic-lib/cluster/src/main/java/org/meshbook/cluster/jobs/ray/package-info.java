/// The controllers of RayJobs and RayClusters, as far as a queue and a person need them.
///
/// Main path: RayJob → RayCluster → head and worker Pods; RayJob → submitter Job → its entrypoint
///
/// The entrypoint runs as a program of this machine in the submitter's pod, with the head's
/// volumes. Where `ray` is installed, head and workers are a real Ray and `RAY_ADDRESS` names it;
/// elsewhere they are processes that wait.
///
/// May import: cluster, cluster.control. Threads: the loop's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.jobs.ray;

import org.jspecify.annotations.NullMarked;
