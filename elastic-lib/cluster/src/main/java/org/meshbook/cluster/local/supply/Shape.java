package org.meshbook.cluster.local.supply;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.nodes.pools.TpuSlice;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.supply.SupplyRequest;

/// What one slice asks of the queue.
///
/// A flavor with quota for TPU chips has slices of its topology, and each host asks for all chips
/// of its machine, as GKE wants it. Any other slice asks for one processor a host.
///
/// @param hosts pods of a slice
/// @param devices of each host, for the program
/// @param resource what each host asks for
/// @param amount how much of it
/// @param selector labels of the nodes that it must have
record Shape(int hosts, int devices, String resource, int amount, Map<String, String> selector) {
    static final String TPU = "google.com/tpu";
    static final String CPU = "cpu";
    private static final String ACCELERATOR = "cloud.google.com/gke-tpu-accelerator";
    private static final String TOPOLOGY = "cloud.google.com/gke-tpu-topology";

    /// @param offers what the queue may choose from, at least one
    static Shape of(SupplyRequest request, List<Offer> offers) {
        var tpu = offers.stream().filter(offer -> offer.has(TPU)).findFirst();
        if (tpu.isPresent()) {
            return ofChips(request, tpu.get().flavor());
        }
        var first = offers.getFirst();
        UsageError.require(
                offers.stream().anyMatch(offer -> offer.has(CPU)),
                "queue '%s' has quota of neither %s nor %s in flavor '%s'; slices need one of them",
                request.queue(),
                TPU,
                CPU,
                first.flavor().name());
        return new Shape(
                Math.max(1, request.hosts()),
                Math.max(1, request.devices()),
                CPU,
                1,
                selector(request, first.flavor()));
    }

    private static Shape ofChips(SupplyRequest request, Resource flavor) {
        var labels = flavor.texts("spec", "nodeLabels");
        var accelerator = labels.getOrDefault(ACCELERATOR, "");
        var topology = labels.getOrDefault(TOPOLOGY, "");
        UsageError.require(
                !accelerator.isEmpty() && !topology.isEmpty(),
                "flavor '%s' has %s but does not say which slices: give it the nodeLabels %s and"
                        + " %s",
                flavor.name(),
                TPU,
                ACCELERATOR,
                TOPOLOGY);
        var slice = slice(flavor, accelerator, topology);
        UsageError.require(
                request.hosts() == 0 || request.hosts() == slice.hosts(),
                "slices of flavor '%s' (%s) have %d hosts, --hosts %d does not fit; leave it out",
                flavor.name(),
                topology,
                slice.hosts(),
                request.hosts());
        var selector = selector(request, flavor);
        selector.put(ACCELERATOR, accelerator);
        selector.put(TOPOLOGY, topology);
        return new Shape(
                slice.hosts(),
                request.devices() == 0 ? slice.chipsPerHost() : request.devices(),
                TPU,
                slice.chipsPerHost(),
                selector);
    }

    private static TpuSlice slice(Resource flavor, String accelerator, String topology) {
        try {
            return TpuSlice.of(accelerator, topology);
        } catch (IllegalArgumentException unknown) {
            throw new UsageError(
                    "flavor '%s': %s", flavor.name(), String.valueOf(unknown.getMessage()));
        }
    }

    /// A flavor is chosen by the labels of its nodes; the queue chooses if none is asked for.
    private static Map<String, String> selector(SupplyRequest request, Resource flavor) {
        return request.flavor().isEmpty()
                ? new HashMap<>()
                : new HashMap<>(flavor.texts("spec", "nodeLabels"));
    }

    /// @return how much of the resource a slice takes
    long total() {
        return (long) hosts * amount;
    }

    boolean manyHostsOfChips() {
        return resource.equals(TPU) && hosts > 1;
    }
}
