package org.meshbook.cluster.local;

import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.NodePools;
import org.meshbook.cluster.nodes.pools.TpuSlice;

/// Node pools of one kind, written `NAME=CPUS` for a pool of plain nodes or
/// `NAME=ACCELERATOR:TOPOLOGY[:COUNT]` for slices, as in `v5e=tpu-v5-lite-podslice:2x4:4`.
///
/// @param name of the pool; of several, the first part of their names
/// @param slice the slice that each pool is; empty for plain nodes
/// @param count how many pools; of plain nodes, how many nodes
public record Machines(String name, Optional<TpuSlice> slice, int count) {
    /// What a pool of plain nodes has: more than this machine, as nothing else holds it back.
    private static final Map<String, String> PLAIN =
            Map.of("cpu", "64", "memory", "256Gi", "pods", "110");

    /// @return one pool of two plain nodes, for what asks for no accelerator
    public static Machines plain() {
        return new Machines("default-pool", Optional.empty(), 2);
    }

    /// @param text as a person types it
    /// @return the pools
    /// @throws IllegalArgumentException if it cannot be read; one line that says how
    public static Machines of(String text) {
        int at = text.indexOf('=');
        var parts = at < 1 ? new String[0] : text.substring(at + 1).split(":");
        if (parts.length == 1 && parts[0].matches("[1-9]\\d{0,3}")) {
            return new Machines(
                    text.substring(0, at), Optional.empty(), Integer.parseInt(parts[0]));
        }
        boolean slices = parts.length == 2 || parts.length == 3;
        if (!slices || (parts.length == 3 && !parts[2].matches("[1-9]\\d{0,3}"))) {
            throw new IllegalArgumentException(
                    ("node pool \"%s\" is not understood; write NAME=NODES, or"
                                    + " NAME=ACCELERATOR:TOPOLOGY:COUNT as in"
                                    + " v5e=tpu-v5-lite-podslice:2x4:4")
                            .formatted(text));
        }
        var slice = TpuSlice.of(parts[0], parts[1]);
        int count = parts.length == 3 ? Integer.parseInt(parts[2]) : 1;
        return new Machines(text.substring(0, at), Optional.of(slice), count);
    }

    /// Adds the pools that are not there.
    void joins(Cluster cluster) {
        var pools = new NodePools(cluster);
        if (slice.isEmpty()) {
            pools.add(new NodePool(name, count, Optional.empty(), false, PLAIN));
            return;
        }
        for (int i = 1; i <= count; i++) {
            pools.add(NodePool.of(count == 1 ? name : name + "-" + i, slice.get()));
        }
    }
}
