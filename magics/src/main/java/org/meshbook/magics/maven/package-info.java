/// `%maven` and its relatives: libraries for cells, from Maven repositories and from files; the
/// names that IJava, JJava and rapaio's kernel gave them work as well.
///
/// May import: `kernel.spi`, `kernel.maven`. Way: a magic → [org.meshbook.kernel.maven.Maven] →
/// `Additions` → [org.meshbook.kernel.spi.Workspace#addToClassPath]. Threads: the cell's.
/// Stability: experimental.
@NullMarked
package org.meshbook.magics.maven;

import org.jspecify.annotations.NullMarked;
