/// Weights in files that other programs read and write: safetensors, and NumPy's `.npy` and `.npz`.
///
/// May import: `array`. Way: a tree of arrays → [Weights][org.meshbook.elastic.formats.Weights]
/// `.write(file, tree)` → names from paths → a format by the file's ending. Reading checks sizes
/// before it allocates. Threads: none of its own, no state. Sources:
/// https://github.com/huggingface/safetensors and NumPy's `numpy.lib.format`. Stability:
/// experimental.
@NullMarked
package org.meshbook.elastic.formats;

import org.jspecify.annotations.NullMarked;
