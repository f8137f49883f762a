/// One slice host: serves dispatch, compiles and runs programs, keeps shards.
///
/// Way of a run: stream → [org.meshbook.elastic.worker.Dispatcher] (never waits) → queue of each
/// device → [org.meshbook.elastic.worker.DeviceThread] → [org.meshbook.elastic.worker.ProgramRun] →
/// engine and collectives in turn → store → [org.meshbook.elastic.worker.Reports]. A failure is a
/// value: what cannot be computed is poison in the store, the other devices are told, and the
/// worker goes on.
///
/// May import: `wire`, `engine`, `store`, `transport`. Threads: `device N`, one a device, and `host
/// memory`, which copies; gRPC's thread only hands over; `compile …` while one compiles. Stability:
/// internal.
@NullMarked
package org.meshbook.elastic.worker;

import org.jspecify.annotations.NullMarked;
