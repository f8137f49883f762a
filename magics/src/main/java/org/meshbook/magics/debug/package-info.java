/// Finding out what a program does when things go wrong (`%chaos`).
///
/// May import: `args`, `kernel.spi`, and of the elastic library `chaos` and `manager`. Stability:
/// internal.
@NullMarked
package org.meshbook.magics.debug;

import org.jspecify.annotations.NullMarked;
