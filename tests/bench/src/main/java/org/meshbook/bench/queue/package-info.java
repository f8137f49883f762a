/// How fast jobs get through the queue: over the API of a running cluster, and by the rules alone.
///
/// Main path: [QueueSuite] → [AdmissionBench] (a cluster's API) or [PendingBench] (the rules) →
/// [AdmissionResult], [PendingResult].
///
/// May import: what `bench` may. Threads: the caller's, eight that submit, the watch's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.bench.queue;

import org.jspecify.annotations.NullMarked;
