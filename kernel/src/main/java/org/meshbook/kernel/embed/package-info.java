/// Meshbook inside another program: the JDK's `jshell`, a test, a main method.
///
/// May import: `cell`, `display`, `spi`. Way: [Magics#run] → the running cell, or else
/// [Meshbook#start] → `CellEngine` → the program's own streams. Threads: any. Stability:
/// experimental.
@NullMarked
package org.meshbook.kernel.embed;

import org.jspecify.annotations.NullMarked;
