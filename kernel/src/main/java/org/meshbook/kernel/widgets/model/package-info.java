/// Models of widgets, as Jupyter's protocol of widgets 2.1.0 has them
/// (https://github.com/jupyter-widgets/ipywidgets, packages/schema): `@jupyter-widgets/base` 2.0.0,
/// `controls` 2.0.0 and `output` 1.0.0.
///
/// May import: `spi`. Way out: a value is set → [org.meshbook.kernel.widgets.model.Model] marks its
/// key → whoever sends at the moment sends the newest value of every marked key, outside the lock.
/// Way in: `update` → echoed → its key's input. A model opens its comm when it is first shown, and
/// what it refers to before it. Threads: any. Stability: internal.
@NullMarked
package org.meshbook.kernel.widgets.model;

import org.jspecify.annotations.NullMarked;
