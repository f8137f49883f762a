/// Where nodes come from: pools, slices of accelerators, capacity that is granted on request.
///
/// Main path: NodePool → Nodes in the Cluster; ProvisioningRequest → FlexStart → Nodes, for a while
///
/// May import: cluster, cluster.control. Threads: the loop's; [TpuEnvironment] may be called by
/// any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.nodes.pools;

import org.jspecify.annotations.NullMarked;
