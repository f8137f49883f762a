/// From a Java lambda to a per-device program: tracing, gradients, partitioning, and the cache of
/// programs.
///
/// May import: `collective`, `graph`, `array`, `mesh`, and its inner rooms `jit.trace`,
/// `jit.reverse`, `jit.forward` and `jit.batch`. Way: `jit(f).apply(args)` → trace → Graph →
/// partition by the inputs' shardings → [org.meshbook.elastic.jit.Program] → `Executor.run` of the
/// placed inputs. `Compiled` is the flow of one call; `Trace`, `Gradient`, `Partitioner` and
/// `LocalRun` are its steps. Threads: tracing runs on the caller's thread; traced functions may be
/// called by many. Stability: experimental.
@NullMarked
package org.meshbook.elastic.jit;

import org.jspecify.annotations.NullMarked;
