/// Values to display data: built-in renderers, and the functions that cells call (`display`,
/// `clearOutput`). May import: `spi`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.display;

import org.jspecify.annotations.NullMarked;
