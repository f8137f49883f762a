/// What happened to the slices (`%events`), and what it cost (`%recovery`, `%goodput`).
///
/// May import: `args`, `render`, `slices`, `kernel.spi`, and of the elastic library `controller`,
/// `manager` and `slices`. Stability: internal.
@NullMarked
package org.meshbook.magics.events;

import org.jspecify.annotations.NullMarked;
