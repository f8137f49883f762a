/// `%events`: what happened to the slices, as a table or as it happens.
///
/// May import: `args`, `render`, `slices`, `kernel.spi`, and of the elastic library `controller`
/// and `slices`. Stability: internal.
@NullMarked
package org.meshbook.magics.events;

import org.jspecify.annotations.NullMarked;
