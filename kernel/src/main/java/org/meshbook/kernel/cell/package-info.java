/// One cell from text to outcome: the lexer that tells magics from Java, the way through both, and
/// what comes out.
///
/// [org.meshbook.kernel.cell.CellEngine] is the port that sessions, the console and the notebook
/// runner call; `jshell` implements the Java part. May import: `spi`, `display`, `jshell`.
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.cell;

import org.jspecify.annotations.NullMarked;
