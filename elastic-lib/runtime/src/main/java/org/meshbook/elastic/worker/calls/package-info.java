/// Host functions in a worker: their objects, their lanes, and one call at work.
///
/// May import: `slices`, `store`, `wire`. Way: device threads hand inputs over →
/// [org.meshbook.elastic.worker.calls.HostWork] → [org.meshbook.elastic.worker.calls.Lanes] →
/// [org.meshbook.elastic.worker.calls.Functions] → device threads take outputs. Threads: `calls of
/// …`, one a lane that has work. Stability: internal.
@NullMarked
package org.meshbook.elastic.worker.calls;

import org.jspecify.annotations.NullMarked;
