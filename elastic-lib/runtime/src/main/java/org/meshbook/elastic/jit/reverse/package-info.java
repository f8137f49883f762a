/// Reverse-mode differentiation, from graph to graph.
///
/// May import: `jit.trace`, `collective`, `graph`, `array`. Way: `Gradient.of(graph, by)` → the
/// graph inlined into a trace → backwards over its nodes, `Vjp` has the rule of each operation →
/// graph. Threads: one trace, one thread. Stability: internal.
@NullMarked
package org.meshbook.elastic.jit.reverse;

import org.jspecify.annotations.NullMarked;
