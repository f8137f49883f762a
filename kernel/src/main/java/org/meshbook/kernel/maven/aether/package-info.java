/// The work of finding libraries, done by Apache Maven Resolver; the only room that sees it.
///
/// May import: `kernel.maven`. Loaded by name at the first use, so that nobody else pays for it.
/// Way: [org.meshbook.kernel.maven.aether.AetherResolver] → `Sessions` (settings, mirrors, proxies)
/// → the library → `Transfers` (progress) or `Causes` (one line). Threads: one resolution at a
/// time. Stability: internal.
@NullMarked
package org.meshbook.kernel.maven.aether;

import org.jspecify.annotations.NullMarked;
