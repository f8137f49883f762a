/// The loop in which controllers run: one thread, one object at a time, on a clock that a test may
/// turn.
///
/// Main path: Cluster.watch → ControlLoop → Controller.affected → Controller.reconcile → Cluster
///
/// May import: cluster. Threads: a [ControlLoop] and its controllers belong to one thread; changes
/// arrive from any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.control;

import org.jspecify.annotations.NullMarked;
