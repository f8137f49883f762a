/// The engines that compute on the devices: which there are, what each is, how to get XLA.
///
/// May import: `elastic.engine`, `kernel.spi`, `args`, `render`. Way: `./meshbook engine install
/// xla` → `cli.EngineCommand` → [org.meshbook.magics.engine.XlaWheel]; `%engine` →
/// [org.meshbook.magics.engine.EngineTable]. Threads: none of its own; installing blocks.
/// Stability: internal.
@NullMarked
package org.meshbook.magics.engine;

import org.jspecify.annotations.NullMarked;
