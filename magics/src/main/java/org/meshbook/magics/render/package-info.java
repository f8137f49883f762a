/// Values of the elastic library to things to look at: tables, charts, meshes, recovery reports.
///
/// May import: `kernel.spi` and the elastic library. Way: value → renderer →
/// [org.meshbook.kernel.spi.DisplayData] with text first, then HTML or SVG. Threads: immutable.
/// Stability: experimental.
@NullMarked
package org.meshbook.magics.render;

import org.jspecify.annotations.NullMarked;
