/// `bench attach`: from the end of a kernel to the next one with its arrays.
///
/// Stability: internal.
@NullMarked
package org.meshbook.bench.attach;

import org.jspecify.annotations.NullMarked;
