/// The local head: sessions and leases, membership with generations, worker processes, the event
/// log. May import: `wire`, `slices`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.head;

import org.jspecify.annotations.NullMarked;
