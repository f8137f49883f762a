/// What cells have made: variables, history, memory, and how to save it.
///
/// May import: `args`, `render`, `kernel.spi` and the room above. Way:
/// [org.meshbook.magics.daily.session.SessionMagics] → one object a magic → the workspace. Threads:
/// each magic runs on its cell's thread. Stability: internal.
@NullMarked
package org.meshbook.magics.daily.session;

import org.jspecify.annotations.NullMarked;
