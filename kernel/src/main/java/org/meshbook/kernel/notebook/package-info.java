/// Reading, running and writing .ipynb files without Python. May import: `cell`, `spi`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.notebook;

import org.jspecify.annotations.NullMarked;
