/// The architecture as tests: which room may import which, what only some rooms may touch, and how
/// public things are named.
///
/// [org.meshbook.arch.Rooms] is the map; a new package fails a test until it has a place there.
@NullMarked
package org.meshbook.arch;

import org.jspecify.annotations.NullMarked;
