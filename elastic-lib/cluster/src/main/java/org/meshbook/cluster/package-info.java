/// Where slices and jobs come from: objects of Kubernetes, and the port to a cluster that keeps
/// them.
///
/// An object is a [Resource]: a read-only view of its JSON, whatever its kind. What is known of a
/// kind (its group, its names, whether it lives in a namespace) is a [ResourceKind]. A [Cluster]
/// keeps objects and tells of their changes; the embedded one and a real one are the same to those
/// who use it.
///
/// Main path: manifest → Resource → Cluster.apply → WatchEvent → Controller → Cluster.updateStatus
///
/// May import: Jackson. Threads: values are immutable; a Cluster may be called by any thread.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster;

import org.jspecify.annotations.NullMarked;
