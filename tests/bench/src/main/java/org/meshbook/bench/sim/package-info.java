/// What the manager costs on thousands of virtual slices.
///
/// May import: what `bench` may. Main path: losses and returns on a virtual clock ([Churn]) → real
/// time an event → [SimResult]. Threads: the caller's, and those of the virtual clock. Stability:
/// internal.
@NullMarked
package org.meshbook.bench.sim;

import org.jspecify.annotations.NullMarked;
