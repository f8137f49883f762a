package org.meshbook.cluster.nodes.pools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// Nodes of one kind that are added together.
///
/// A pool of TPUs is one slice: as many nodes as the slice has hosts, all or none.
///
/// @param name value of `cloud.google.com/gke-nodepool`
/// @param nodes how many
/// @param slice the slice that they are; empty for nodes without accelerator
/// @param queued whether its nodes come on request only, and are kept for those who asked
/// @param capacity what each node has, such as `cpu` → `8`
public record NodePool(
        String name,
        int nodes,
        Optional<TpuSlice> slice,
        boolean queued,
        Map<String, String> capacity) {
    /// The label that names a node's pool.
    public static final String POOL = "cloud.google.com/gke-nodepool";

    private static final String ACCELERATOR = "cloud.google.com/gke-tpu-accelerator";
    private static final String TOPOLOGY = "cloud.google.com/gke-tpu-topology";
    private static final String TPU = "google.com/tpu";
    private static final String QUEUED = "cloud.google.com/gke-queued";

    public NodePool {
        capacity = Map.copyOf(capacity);
        if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "node pool \"%s\" needs a name of lower case letters, digits and -"
                            .formatted(name));
        }
        if (slice.isPresent() && slice.get().hosts() != nodes) {
            throw new IllegalArgumentException(
                    "node pool \"%s\" of topology %s has %d chips on %d nodes, not on %d"
                            .formatted(
                                    name,
                                    slice.get().topology(),
                                    slice.get().chips(),
                                    slice.get().hosts(),
                                    nodes));
        }
    }

    /// @param name name
    /// @param slice the slice
    /// @return a pool that is one slice
    public static NodePool of(String name, TpuSlice slice) {
        return new NodePool(
                name,
                slice.hosts(),
                Optional.of(slice),
                false,
                Map.of("cpu", "208", "memory", "384Gi"));
    }

    /// @param name name
    /// @param nodes how many
    /// @param cpu processors of each
    /// @param memory memory of each
    /// @return a pool without accelerators
    public static NodePool plain(String name, int nodes, String cpu, String memory) {
        return new NodePool(
                name, nodes, Optional.empty(), false, Map.of("cpu", cpu, "memory", memory));
    }

    /// @return the same, its nodes only on request
    public NodePool onRequest() {
        return new NodePool(name, nodes, slice, true, capacity);
    }

    /// @return its nodes, as they are when they have joined
    public List<Resource> objects() {
        return objects("");
    }

    /// @param mark tells apart several sets of nodes of a pool; may be empty
    List<Resource> objects(String mark) {
        return IntStream.range(0, nodes).mapToObj(i -> node(mark, i)).toList();
    }

    private Resource node(String mark, int index) {
        var host = "gke-%s%s-%d".formatted(name, mark.isEmpty() ? "" : "-" + mark, index);
        return Resource.named(Kinds.NODE, "", host)
                .with(
                        node -> {
                            var labels = node.withObjectProperty("metadata").putObject("labels");
                            labels.put("kubernetes.io/hostname", host)
                                    .put("kubernetes.io/os", "linux")
                                    .put(POOL, name);
                            var spec = node.putObject("spec");
                            var room = new LinkedHashMap<>(capacity);
                            room.put("pods", "110");
                            slice.ifPresent(
                                    tpu -> {
                                        labels.put(ACCELERATOR, tpu.accelerator());
                                        labels.put(TOPOLOGY, tpu.topology());
                                        labels.put(
                                                "node.kubernetes.io/instance-type",
                                                tpu.machineType());
                                        room.put(TPU, Integer.toString(tpu.chipsPerHost()));
                                        spec.withArrayProperty("taints")
                                                .addObject()
                                                .put("key", TPU)
                                                .put("value", "present")
                                                .put("effect", "NoSchedule");
                                    });
                            if (queued) {
                                spec.withArrayProperty("taints")
                                        .addObject()
                                        .put("key", QUEUED)
                                        .put("value", "true")
                                        .put("effect", "NoSchedule");
                            }
                            var status = node.putObject("status");
                            for (var field : new String[] {"capacity", "allocatable"}) {
                                var map = status.putObject(field);
                                room.forEach(map::put);
                            }
                            status.putArray("conditions")
                                    .addObject()
                                    .put("type", "Ready")
                                    .put("status", "True")
                                    .put("reason", "KubeletReady")
                                    .put("message", "kubelet is posting ready status");
                        });
    }
}
