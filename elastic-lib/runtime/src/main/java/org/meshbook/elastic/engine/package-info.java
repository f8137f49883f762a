/// What computes a graph on one device: the SPI, and the cutting of a graph at its collectives.
///
/// May import: `graph`, `array`, `mesh`. Engines live in sub-packages and are found by
/// ServiceLoader. Way: `Segments.cut(graph)` → `Engine.compile(segment)` →
/// `Executable.run(inputs)`. Stability: experimental.
@NullMarked
package org.meshbook.elastic.engine;

import org.jspecify.annotations.NullMarked;
