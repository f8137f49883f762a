/// Optimisers, schedules and clipping: plain functions over trees of arrays.
///
/// May import: `array`. Way: [Optimizer][org.meshbook.elastic.optim.Optimizer]`.init(params)` → a
/// [TrainState][org.meshbook.elastic.optim.TrainState], a tree like any other → `step(state,
/// gradient)` inside a function made by `jit` → the next state. Formulas and defaults are Optax's.
/// Threads: all values are immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.optim;

import org.jspecify.annotations.NullMarked;
