/// Queues, routing and the parent of each message: what turns a request into replies and iopub
/// traffic. May import: `protocol`, `cell`, `wire`, `display`, `spi`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.kernel.session;

import org.jspecify.annotations.NullMarked;
