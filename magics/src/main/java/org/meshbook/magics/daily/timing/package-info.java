/// How long Java takes: `%time` for one run, `%timeit` for many.
///
/// May import: `args`, `render`, `kernel.spi` and the room above. Way:
/// [org.meshbook.magics.daily.timing.Timing] → the magics →
/// [org.meshbook.magics.daily.timing.TimedLoop], which the compiled loop calls. Threads: each magic
/// runs on its cell's thread. Stability: internal.
@NullMarked
package org.meshbook.magics.daily.timing;

import org.jspecify.annotations.NullMarked;
