/// Packs Meshbook into a Python wheel, so that `pip install` makes the kernel appear in Jupyter.
///
/// May import: `kernel.install`, for what a kernelspec says. Way: jars and the small Python
/// launcher → [Wheel], which adds the kernelspec, the metadata and a `RECORD` of checksums → one
/// file. Built only with `-Pdist`. Threads: one. Stability: internal.
///
/// Format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
@NullMarked
package org.meshbook.wheel;

import org.jspecify.annotations.NullMarked;
