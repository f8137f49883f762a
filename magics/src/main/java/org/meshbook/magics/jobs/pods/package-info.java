/// Magics for the pods of jobs: what they print.
///
/// Main path: `%logs JOB -f` → JobFinder → LogFollower (one thread a pod) → one queue of lines →
/// the cell
///
/// May import: cluster, magics.args, magics.jobs.door. Threads: the cell's prints; each pod has a
/// virtual one that reads.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics.jobs.pods;

import org.jspecify.annotations.NullMarked;
