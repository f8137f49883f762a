/// The single controller in the client: session with the head, links to workers, placed arrays,
/// dispatch. May import: `wire`, `transport`, `jit`, `slices`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.controller;

import org.jspecify.annotations.NullMarked;
