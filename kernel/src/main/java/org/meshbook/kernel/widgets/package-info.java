/// Widgets of the front end, made and driven from Java, and progress bars: what a cell calls.
///
/// May import: `spi`, `display`. Way: `Widgets.slider(1, 10)` → a
/// [org.meshbook.kernel.widgets.model.Slider] → shown by [WidgetsExtension]'s renderer → a comm
/// each for it and what it refers to → the front end's view; a change there → its listeners here,
/// run as a cell is. Where there is no front end to talk to, widgets are text. Threads: everything
/// may be called on any thread. Stability: experimental.
@NullMarked
package org.meshbook.kernel.widgets;

import org.jspecify.annotations.NullMarked;
