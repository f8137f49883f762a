/// Magics of daily work: time, variables, history, files, shell, and how they are listed.
///
/// May import: `args`, `render`, `kernel.spi`. Way: [org.meshbook.magics.daily.Daily] → one object
/// a magic → its sub-room: `timing` (how long Java takes), `session` (what cells have made),
/// `files` (folder, files, processes). Threads: each magic runs on its cell's thread. Stability:
/// internal.
@NullMarked
package org.meshbook.magics.daily;

import org.jspecify.annotations.NullMarked;
