/// Forward-mode differentiation: tangents go along with values.
///
/// May import: `jit.reverse`, `jit.trace`, `graph`, `array`. Way: `Tangents.of(trace, graph,
/// inputs, tangents)` → node by node, `Jvp` has the rule of each operation. Threads: one trace, one
/// thread. Stability: internal.
@NullMarked
package org.meshbook.elastic.jit.forward;

import org.jspecify.annotations.NullMarked;
