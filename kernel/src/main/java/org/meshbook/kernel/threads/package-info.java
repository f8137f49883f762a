/// The threads that cells have started and that still live: the magic `%threads`.
///
/// May import: `failure`, `jshell`, `spi`. Way: `%threads` → `ThreadsMagic` → `CellThreads` → a
/// `CellThread` each. Threads: any. Stability: internal.
@NullMarked
package org.meshbook.kernel.threads;

import org.jspecify.annotations.NullMarked;
