/// The linter of manifests, as a magic and as a command share it.
///
/// May import: `args`, `daily.files`, `render`, `kernel.spi`, `cluster.lint`. Way:
/// [org.meshbook.magics.lint.Linting] → Linter → reports. Threads: pure, but for the files.
/// Stability: internal.
@NullMarked
package org.meshbook.magics.lint;

import org.jspecify.annotations.NullMarked;
