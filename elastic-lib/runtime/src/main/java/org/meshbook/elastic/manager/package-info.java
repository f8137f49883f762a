/// Elastic retry over the ports of `slices`: which slices are active, when to wait, shrink, grow
/// and give up. May import: `slices`, `array`, `mesh`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.manager;

import org.jspecify.annotations.NullMarked;
