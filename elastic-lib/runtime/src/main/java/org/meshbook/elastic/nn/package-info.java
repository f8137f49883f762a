/// Layers of neural networks: records of parameters, and what they compute.
///
/// A layer is a record whose arrays are its parameters and whose `apply` is the function; a model
/// is a record of layers. That makes it a tree, which is differentiated, updated, put on a mesh and
/// saved as any other; there is no registry and no base class. May import: `array`. Way:
/// `Dense.init(random, in, out)` → `put` on a mesh → inside `jit`: `dense.apply(x)` →
/// [Losses][org.meshbook.elastic.nn.Losses] → `valueAndGrad`. Formulas are those of `jax.nn` and
/// Flax. Threads: all values are immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.nn;

import org.jspecify.annotations.NullMarked;
