/// `%slices`: the session with the head, and the table of its slices.
///
/// May import: `args`, `render`, `kernel.spi`, and of the elastic library `controller` and
/// `slices`. Way: `%slices 4` → [org.meshbook.magics.slices.SlicesMagic] →
/// [org.meshbook.magics.slices.Lease] → `Session.provision` → `CurrentSlices`. Threads: a lease is
/// used by the thread of a cell, and closed by any. Stability: internal.
@NullMarked
package org.meshbook.magics.slices;

import org.jspecify.annotations.NullMarked;
