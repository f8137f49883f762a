/// Commands of the launcher: `head`, `doctor`, `engine`, `lint`.
///
/// The only room of this module that prints. May import: `args`, `render`, `lint`, `engine`,
/// `kernel.spi`, `kernel.install` and the elastic library. Way: `./meshbook doctor` →
/// `kernel.app.Main` → ServiceLoader → [org.meshbook.magics.cli.DoctorCommand]. Stability:
/// internal.
@NullMarked
package org.meshbook.magics.cli;

import org.jspecify.annotations.NullMarked;
