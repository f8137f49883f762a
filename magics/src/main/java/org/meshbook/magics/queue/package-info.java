/// Magics that look at the queue: who stands where, who holds what, and what would happen if.
///
/// Main path: `%queue` → ClusterDoor → Snapshot → QueuePage → text and HTML; `%forecast FILE` →
/// Manifests → dry run → Forecast → a table
///
/// Both read objects only, and change nothing.
///
/// May import: cluster.outlook and what it may, magics.args, magics.render, magics.jobs.door.
/// Threads: the cell's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics.queue;

import org.jspecify.annotations.NullMarked;
