/// Faults on purpose: real ones, at a chosen moment, replayable by a seed, with a report of what
/// came of each.
///
/// Way: [org.meshbook.elastic.chaos.Chaos] makes a [org.meshbook.elastic.chaos.ChaosPlan] → it is
/// armed → `Chaos` hears steps and events of the [org.meshbook.elastic.manager.Manager] → `Striker`
/// signals the slice's processes, or calls a function of `inside` in them → the manager's account
/// of the loss → [org.meshbook.elastic.chaos.ChaosReport].
///
/// May import: `slices`, `manager`, `checkpoint.tier.store`, `chaos.inside`. Threads: whatever
/// brings the step or event, and never waits there; a fault that takes time has a thread of the
/// clock. Processes must run on this machine. Stability: experimental.
@NullMarked
package org.meshbook.elastic.chaos;

import org.jspecify.annotations.NullMarked;
