/// Folder, environment, files and processes.
///
/// May import: `args`, `render`, `kernel.spi` and the room above. Way:
/// [org.meshbook.magics.daily.files.FileMagics] → one object a magic → [java.lang.ProcessBuilder].
/// Threads: each magic runs on its cell's thread. Stability: internal.
@NullMarked
package org.meshbook.magics.daily.files;

import org.jspecify.annotations.NullMarked;
