/// Reads Kueue's own configuration: the file that a manager is started with.
///
/// Main path: text of a `Configuration` → KueueConfiguration → [org.meshbook.cluster.queue.Rules]
///
/// May import: cluster.kueue, cluster.manifest. Threads: any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.kueue.config;

import org.jspecify.annotations.NullMarked;
