/// Finds libraries in Maven repositories: what is asked for, the user's settings, and what came of
/// it. Knows no magics and no JShell.
///
/// May import: `kernel.spi`. Way: [org.meshbook.kernel.maven.Maven] → settings, proxies →
/// [org.meshbook.kernel.maven.Resolver] (in `aether`, loaded at the first use, by a loader of its
/// own where its jars lie in a folder of their own) → [org.meshbook.kernel.maven.Resolved].
/// Threads: one resolution at a time, on a thread of its own that is cut off when the caller is
/// interrupted. Stability: internal.
@NullMarked
package org.meshbook.kernel.maven;

import org.jspecify.annotations.NullMarked;
