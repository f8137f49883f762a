/// What a person can set: `Settings` and the magic `%config`.
///
/// May import: `spi`. Way: `%config name=value` → `ConfigMagic` → `Settings` → a `Setting` whose
/// value the other rooms read when they need it. Threads: every setting is read and written on any
/// thread. Stability: internal.
@NullMarked
package org.meshbook.kernel.config;

import org.jspecify.annotations.NullMarked;
