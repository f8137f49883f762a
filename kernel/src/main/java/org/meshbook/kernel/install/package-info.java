/// Makes the kernel known to Jupyter, and tries it. May import: `spi`, `client`, `wire`.
///
/// Way: name and profile → command → `kernel.json` in one of Jupyter's folders → a start as Jupyter
/// would do it. Threads: none. Stability: internal.
@NullMarked
package org.meshbook.kernel.install;

import org.jspecify.annotations.NullMarked;
