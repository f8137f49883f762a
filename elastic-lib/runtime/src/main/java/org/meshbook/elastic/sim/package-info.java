/// A deterministic simulator of slices on a virtual clock: the same ports, no processes. May
/// import: `slices`, `array`, `mesh`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.sim;

import org.jspecify.annotations.NullMarked;
