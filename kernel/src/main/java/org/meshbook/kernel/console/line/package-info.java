/// The console at a terminal: lines are edited, coloured, completed and found again, by JLine.
///
/// May import: `console`, `cell`, JLine. Way: keys → JLine → [TerminalFront#read], which asks
/// [Typed] whether the cell is complete, [Completions] what may follow, and [JavaColours] how it
/// looks. Threads: JLine reads on the thread that calls; output comes from any. Stability:
/// internal.
@NullMarked
package org.meshbook.kernel.console.line;

import org.jspecify.annotations.NullMarked;
