/// Writing the kernelspec. May import: `spi`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.install;

import org.jspecify.annotations.NullMarked;
