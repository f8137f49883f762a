/// Slices that somebody else gives and takes away, such as the queue of a cluster.
///
/// Main path: the head settles a [SupplyRequest] with the [Supply] of its guest → asks for it →
/// hears of each slice's [Standing] → a process that the supply started asks the head for its
/// assignment
///
/// The head adopts processes that the supply starts; when one is asked to end, it announces its
/// leave as any other worker does. So the elastic side knows nothing of queues.
///
/// May import: nothing of ours but errors. Threads: a supply is asked by the guests' thread and
/// tells on its own.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.slices.supply;

import org.jspecify.annotations.NullMarked;
