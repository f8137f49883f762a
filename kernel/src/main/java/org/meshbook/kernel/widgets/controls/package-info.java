/// The widgets themselves; [org.meshbook.kernel.widgets.Widgets] makes them.
///
/// May import: `spi`, `display`. Way: a value set here → the model → the front end; a value from
/// there → checked → kept → listeners, whose output appears below the cell that showed the widget.
/// Threads: any. Stability: experimental.
@NullMarked
package org.meshbook.kernel.widgets.controls;

import org.jspecify.annotations.NullMarked;
