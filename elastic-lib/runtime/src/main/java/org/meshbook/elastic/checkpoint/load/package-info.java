/// One restore: who still holds a whole copy, and the way back onto devices.
///
/// May import: `slices`, `array`, `mesh`, `manager`. Way: real reads of every holder →
/// [Survivors][org.meshbook.elastic.checkpoint.load.Survivors], one set for the whole tree →
/// [Load][org.meshbook.elastic.checkpoint.load.Load] → again with fewer, if one of them is lost
/// meanwhile. Threads: the caller's. Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.load;

import org.jspecify.annotations.NullMarked;
