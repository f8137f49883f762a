package org.meshbook.cluster.nodes.pools;

import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Adds pools to a cluster and takes them away, as a cloud does. Thread-safe as the cluster is.
///
/// @param cluster where nodes are
public record NodePools(Cluster cluster) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SPACE = "kube-system";
    private static final String LOST = "lost-pool-";
    private static final String NODES = "nodes";

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
    /// What they were is kept in the cluster, for [#repair].
    ///
    /// @param pool the pool's name
    /// @return names of the nodes that are gone; none if the pool has none
    public List<String> lose(String pool) {
        var nodes =
                cluster.list(Kinds.NODE, "").stream()
                        .filter(n -> pool.equals(n.labels().get(NodePool.POOL)))
                        .toList();
        if (!nodes.isEmpty()) {
            keep(pool, nodes);
        }
        drop(nodes);
        return nodes.stream().map(Resource::name).toList();
    }

    private void keep(String pool, List<Resource> nodes) {
        var json = JSON.createArrayNode();
        nodes.forEach(node -> json.add(node.json().deepCopy()));
        var note =
                Resource.named(Kinds.CONFIG_MAP, SPACE, LOST + pool)
                        .with(map -> map.putObject("data").put(NODES, json.toString()));
        if (cluster.find(note.key()).isEmpty()) {
            cluster.create(note, WriteOptions.PLAIN);
        } else {
            cluster.update(note, WriteOptions.PLAIN);
        }
    }

    /// Brings the nodes of a lost pool back, as they were.
    ///
    /// @param pool the pool's name
    /// @return names of its nodes; none if it was not lost
    public List<String> repair(String pool) {
        var note = cluster.find(Kinds.CONFIG_MAP.key(SPACE, LOST + pool));
        if (note.isEmpty()) {
            return List.of();
        }
        var nodes =
                JSON.readTree(note.get().text("data", NODES)).values().stream()
                        .map(node -> new Resource((ObjectNode) node))
                        .toList();
        join(nodes);
        cluster.remove(note.get().key());
        return nodes.stream().map(Resource::name).toList();
    }

    /// @return names of the pools that have nodes
    public List<String> names() {
        return cluster.list(Kinds.NODE, "").stream()
                .map(node -> node.labels().getOrDefault(NodePool.POOL, ""))
                .filter(name -> !name.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }

    /// @return names of the pools that were lost and not repaired
    public List<String> lost() {
        return cluster.list(Kinds.CONFIG_MAP, SPACE).stream()
                .map(Resource::name)
                .filter(name -> name.startsWith(LOST))
                .map(name -> name.substring(LOST.length()))
                .toList();
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
