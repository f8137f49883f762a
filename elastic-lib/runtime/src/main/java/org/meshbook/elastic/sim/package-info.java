/// A deterministic simulator of slices on a virtual clock: the same ports, no processes.
///
/// May import: `slices`, `array`, `mesh`. Way: [Simulation][org.meshbook.elastic.sim.Simulation]
/// `.of(4, 2)` → `Manager` and the rest over it → `kill`, `hang`, `at` → the same code as over real
/// workers. Threads: those that the clock started, and the one that made it, run one at a time and
/// hand over only when they wait, so that a seed gives the same run each time. Stability:
/// experimental.
@NullMarked
package org.meshbook.elastic.sim;

import org.jspecify.annotations.NullMarked;
