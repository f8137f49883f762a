/// A whole cluster on this machine: objects, controllers, nodes, pods as processes, and the API to
/// reach it.
///
/// Main path: the head asks for its guest → ClusterGuest → LocalCluster → (EmbeddedCluster,
/// ControlLoop, ApiServer)
///
/// One thread runs all controllers; requests of clients come on their own threads and meet it in
/// the store.
///
/// May import: cluster.embedded, cluster.kueue.config, cluster.jobs, cluster.nodes, cluster.rest,
/// cluster.metrics, elastic.slices.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.local;

import org.jspecify.annotations.NullMarked;
