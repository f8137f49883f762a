/// The unit of a snapshot: a tree of state, step and data position, apart from the bytes of its
/// device arrays.
///
/// May import: `slices`, `array`, `mesh`. Way: state →
/// [Unit][org.meshbook.elastic.checkpoint.unit.Unit] with
/// [Frozen][org.meshbook.elastic.checkpoint.unit.Frozen] copies of what could change →
/// [Pattern][org.meshbook.elastic.checkpoint.unit.Pattern] of the state that is asked for → the
/// tree in its classes. Threads: everything is immutable. Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.unit;

import org.jspecify.annotations.NullMarked;
