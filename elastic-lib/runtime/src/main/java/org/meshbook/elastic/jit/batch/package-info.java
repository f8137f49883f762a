/// Batching: a function of one example becomes a function of many.
///
/// May import: `jit.trace`, `graph`, `array`. Way: `Batched.of(trace, graph, inputs, mapped, size)`
/// → node by node, `BatchRule` has the rule of each operation; what is mapped has the examples
/// along dimension 0. Threads: one trace, one thread. Stability: internal.
@NullMarked
package org.meshbook.elastic.jit.batch;

import org.jspecify.annotations.NullMarked;
