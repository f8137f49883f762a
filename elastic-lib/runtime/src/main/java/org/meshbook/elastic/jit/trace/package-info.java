/// Running a Java function with arrays that write down what is asked of them.
///
/// May import: `collective`, `graph`, `array`. Way: `Trace.of(name, types, function)` → arrays that
/// are [Traced][org.meshbook.elastic.jit.trace.Traced] → `GraphBuilder` → graph, captured arrays
/// and structure. Threads: one trace, one thread. Stability: internal.
@NullMarked
package org.meshbook.elastic.jit.trace;

import org.jspecify.annotations.NullMarked;
