/// The console: cells from a terminal, a pipe or a file, and what they show as text.
///
/// May import: `cell`, `history`, `spi`, and in `line` JLine. Way: [Front#read] → `CellEngine` →
/// [ConsoleOutput] → [Front#print]. [PlainFront] reads lines; `line` edits them, and is loaded only
/// where a person sits at a terminal that can move its cursor. Threads: cells are read and run on
/// one; output comes from any. Stability: internal.
@NullMarked
package org.meshbook.kernel.console;

import org.jspecify.annotations.NullMarked;
