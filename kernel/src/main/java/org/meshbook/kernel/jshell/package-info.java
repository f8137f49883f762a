/// JShell in this process: execution control with stop checks, exit trap and redefinition;
/// diagnostics with positions. May import: `spi`, `display`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.jshell;

import org.jspecify.annotations.NullMarked;
