/// What others add to the kernel, found by ServiceLoader: magics, renderers, start-up code,
/// commands of the launcher.
///
/// The audience is authors of extensions. Imports nothing of ours. Way: `ServiceLoader<Extension>`
/// → its magics, renderers and imports; `ServiceLoader<Command>` → the launcher's commands.
/// Threads: said at each method. Stability: experimental.
@NullMarked
package org.meshbook.kernel.spi;

import org.jspecify.annotations.NullMarked;
