/// Immutable collections by index of slice, whose changed copies cost the same for four slices as
/// for thousands.
///
/// May import: the front room. Indices are dense and start at 0. Way: `copyOf` once, then `with`
/// and `without`, which share all but a chunk with what they came from. Threads: immutable.
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.slices.index;

import org.jspecify.annotations.NullMarked;
