/// What stands behind the names of IJava and JJava, so that their notebooks run unchanged. The
/// names themselves are thin classes in `io.github.spencerpark` and `org.dflib.jjava`; what each
/// does is told in docs/compatibility.md, and ADR 9 says why they are there.
///
/// May import: `kernel.spi`, `kernel.display` (which cell is running), `magics.maven`. Way: a name
/// → [org.meshbook.magics.compat.Bridge] → the running cell. Threads: any that belongs to a cell.
/// Stability: experimental.
@NullMarked
package org.meshbook.magics.compat;

import org.jspecify.annotations.NullMarked;
