/// Magics for what waits and what runs: the jobs, the queues that hold them back, the node pools
/// that they run on, what happened to them.
///
/// Main path: `%jobs` → JobFinder → JobState → one table
///
/// May import: cluster, magics.args, magics.render, magics.jobs.door. Threads: the cell's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics.jobs.queues;

import org.jspecify.annotations.NullMarked;
