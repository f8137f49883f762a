/// The main method and the built-in commands. May import every room.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.app;

import org.jspecify.annotations.NullMarked;
