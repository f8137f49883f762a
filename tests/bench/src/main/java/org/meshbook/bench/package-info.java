/// Benches behind `./meshbook bench`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.bench;

import org.jspecify.annotations.NullMarked;
