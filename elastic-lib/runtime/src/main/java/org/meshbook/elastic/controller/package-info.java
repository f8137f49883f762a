/// The single controller in the client: links to workers, placed arrays, dispatch, losses. Its
/// rooms `link` and `session` reach the head. May import: `wire`, `transport`, `jit`, `slices`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.controller;

import org.jspecify.annotations.NullMarked;
