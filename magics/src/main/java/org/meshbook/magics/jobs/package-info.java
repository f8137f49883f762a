/// Magics for objects of a cluster: choose one, apply manifests, look at objects, delete them.
///
/// Main path: `%apply FILE` → Manifest → ClusterDoor → Cluster.apply → one line an object
///
/// The cluster is the embedded one in the head unless `%cluster` chose another; both are reached
/// over the Kubernetes API.
///
/// May import: cluster, magics.args, magics.render, magics.slices. Threads: the cell's.
///
/// Stability: internal.
@NullMarked
package org.meshbook.magics.jobs;

import org.jspecify.annotations.NullMarked;
