/// Jupyter messages as records, and their JSON. Knows no socket.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.protocol;

import org.jspecify.annotations.NullMarked;
