/// Benches behind `./meshbook bench`: each suite measures, prints a table, and writes JSON.
///
/// May import: every room. Way: [org.meshbook.bench.BenchCommand] →
/// [org.meshbook.bench.RecoveryBench] → [org.meshbook.bench.RecoveryResult]. Stability: internal.
@NullMarked
package org.meshbook.bench;

import org.jspecify.annotations.NullMarked;
