package org.meshbook.cluster.nodes.pools;

import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// Adds pools to a cluster and takes them away, as a cloud does. Thread-safe as the cluster is.
///
/// @param cluster where nodes are
public record NodePools(Cluster cluster) {
    /// Makes the nodes of a pool that are not there.
    ///
    /// @param pool a pool; one whose slice was lost is whole again
    public void add(NodePool pool) {
        join(pool.objects());
    }

    void join(List<Resource> nodes) {
        for (var node : nodes) {
            if (cluster.find(node.key()).isEmpty()) {
                cluster.create(node, WriteOptions.PLAIN);
                var made = cluster.find(node.key()).orElse(node);
                cluster.updateStatus(
                        made.with(
                                json -> json.set("status", node.json().get("status").deepCopy())));
            }
        }
    }

    /// Takes all nodes of a pool away at once: what a slice with several hosts does if one fails.
    ///
    /// @param pool the pool's name
    /// @return names of the nodes that are gone
    public List<String> lose(String pool) {
        var nodes =
                cluster.list(Kinds.NODE, "").stream()
                        .filter(n -> pool.equals(n.labels().get(NodePool.POOL)))
                        .toList();
        drop(nodes);
        return nodes.stream().map(Resource::name).toList();
    }

    void drop(List<Resource> nodes) {
        for (var node : nodes) {
            try {
                cluster.remove(node.key());
            } catch (ApiException refused) {
                if (!refused.missing()) {
                    throw refused;
                }
            }
        }
    }
}
