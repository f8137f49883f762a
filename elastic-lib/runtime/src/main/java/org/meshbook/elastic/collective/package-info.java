/// What a function says that is written for one device of many: sums over the others, pieces sent
/// to the next, its own place.
///
/// May import: `graph`, `array`, `mesh`. Way: `shardMap` binds the axes of a mesh
/// ([org.meshbook.elastic.collective.BoundAxes]) → [org.meshbook.elastic.collective.Collective]
/// writes collectives down → [org.meshbook.elastic.collective.Varying] knows along which axes a
/// value differs from device to device → [org.meshbook.elastic.collective.LocalDevices] runs a
/// per-device graph in this process. Threads: everything is immutable or bound to one thread.
/// Stability: experimental.
@NullMarked
package org.meshbook.elastic.collective;

import org.jspecify.annotations.NullMarked;
