/// Controllers of jobs: batch Jobs, JobSets, RayJobs.
///
/// May import: cluster, cluster.control. Threads: the loop's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.jobs;

import org.jspecify.annotations.NullMarked;
