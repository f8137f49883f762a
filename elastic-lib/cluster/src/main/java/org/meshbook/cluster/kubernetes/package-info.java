/// A real cluster behind the port [org.meshbook.cluster.Cluster], reached over HTTP.
///
/// fabric8 makes the HTTP client: certificates, proxies, HTTP/2. Requests are JSON and blocking, so
/// that objects of any kind travel without a model of it, and a failure is an exception where it
/// happens. A watch is one connection read by one virtual thread.
///
/// Main path: Clusters.open → Access → Connection → KubernetesCluster → Reflector → WatchEvent
///
/// May import: cluster, cluster.manifest; fabric8, OkHttp. Threads: a cluster may be called by any
/// thread; nothing of fabric8 is loaded before the first cluster is opened.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
