/// Conversations between objects here and their counterparts in the front end: the kernel's side of
/// comms. May import: `protocol`, `display`, `spi`.
///
/// Way out: [org.meshbook.kernel.spi.Comm#send] → the voice of the calling thread's cell → iopub.
/// Way in: `session` → [Conversations#heard] → a listener, run as a cell is. Threads: any; a comm's
/// listeners are called one at a time in the shell that its messages come by. Stability: internal.
@NullMarked
package org.meshbook.kernel.comm;

import org.jspecify.annotations.NullMarked;
