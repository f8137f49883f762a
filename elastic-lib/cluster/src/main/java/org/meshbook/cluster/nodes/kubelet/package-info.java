/// What runs pods: one kubelet for all nodes of the cluster.
///
/// Main path: bound Pod → Kubelet → PodRun → LaunchPlan → ContainerRuntime → PodStatus → Cluster
///
/// A pod's folder holds its volumes, its working folder, its logs and the names that its image
/// gives to programs of this machine. It goes with the pod.
///
/// Clients read what its containers print by PodOutput, and run commands beside them by PodExec.
///
/// May import: cluster, cluster.control, cluster.nodes.process. Threads: the loop's; PodOutput and
/// PodExec may be asked by any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.nodes.kubelet;

import org.jspecify.annotations.NullMarked;
