/// What this kernel's processes and their machine use: processor, memory, garbage collection.
/// Imports nothing of ours.
///
/// Way: [Usage#measure] → a map in the shape of ipykernel's `usage_reply`, with more keys. Threads:
/// said there. Stability: internal.
@NullMarked
package org.meshbook.kernel.usage;

import org.jspecify.annotations.NullMarked;
