/// One way to write a training loop over the parts: read it, use it, or write your own.
///
/// May import: `manager`, `checkpoint`, `data`. Way: [Trainer][org.meshbook.elastic.train.Trainer]
/// `.train(init, step, steps)` → restore or begin → batch → step → save now and then → fit the mesh
/// to the slices. Threads: the caller's. Stability: experimental.
@NullMarked
package org.meshbook.elastic.train;

import org.jspecify.annotations.NullMarked;
