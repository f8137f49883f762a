/// The plain console. May import: `cell`, `spi`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.console;

import org.jspecify.annotations.NullMarked;
