/// Counter-based random numbers, bit-equal to JAX's for the same key.
///
/// A [Key][org.meshbook.elastic.random.Key] is two words; every number drawn is a function of the
/// key and of the number's place, so that the same key gives the same numbers eagerly, traced, on
/// every engine and however an array is cut. Way: `Key.of(42)` → `split` or `foldIn` → `Threefry` →
/// `bits` → `uniform` → `normal`, `bernoulli`, `categorical`, `permutation`. May import: `array`.
/// Threads: immutable. Stability: experimental.
@NullMarked
package org.meshbook.elastic.random;

import org.jspecify.annotations.NullMarked;
