/// Failures of cells in words for a person: the cell, its line and what is wrong with it, a hint
/// what to do, and nothing of ours.
///
/// May import: `jshell`, `display`, `config`, `spi`. Way: javac's diagnostics → `CompileErrors`
/// (with `Hints`) → `Told`; a `Throwable` → `Traces` (with `Frames`) → `Told`. Threads: any; the
/// user's own code (`getMessage`) runs on the calling thread. Stability: internal.
@NullMarked
package org.meshbook.kernel.failure;

import org.jspecify.annotations.NullMarked;
