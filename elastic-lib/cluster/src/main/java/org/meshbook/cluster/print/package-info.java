/// What `kubectl get` and `kubectl describe` print, and how it words a refusal.
///
/// Main path: objects → Tables → Columns → text
///
/// The columns of kinds that are defined by resources come from their schemas, those of the
/// server's own kinds are written here. Ages are relative to a time that is passed in.
///
/// May import: cluster, cluster.schema, cluster.manifest. Threads: any; nothing is kept.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.print;

import org.jspecify.annotations.NullMarked;
