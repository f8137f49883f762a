/// Devices, named axes and shardings: pure values, no I/O.
///
/// May import: the front room. Way: devices → [org.meshbook.elastic.mesh.Mesh] →
/// [org.meshbook.elastic.mesh.Sharding]. Threads: everything is immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.mesh;

import org.jspecify.annotations.NullMarked;
