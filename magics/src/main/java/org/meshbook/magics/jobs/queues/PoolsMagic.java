package org.meshbook.magics.jobs.queues;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Refusals;
import org.meshbook.magics.render.Table;
import tools.jackson.databind.JsonNode;

/// `%pools`: the node pools, and who holds their chips.
final class PoolsMagic {
    private static final String POOL = "cloud.google.com/gke-nodepool";
    private static final List<String> CHIPS = List.of("google.com/tpu", "nvidia.com/gpu");
    private static final List<String> ACCELERATOR =
            List.of("cloud.google.com/gke-tpu-accelerator", "cloud.google.com/gke-accelerator");
    private static final String TOPOLOGY = "cloud.google.com/gke-tpu-topology";
    private static final Grammar GRAMMAR = new Grammar("%pools", List.of(), List.of());
    private static final String ABOUT =
            """
            Shows the node pools of the cluster: their slices, chips used and free, and who holds them.

            %pools
            """;

    private PoolsMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                GRAMMAR,
                "jobs",
                ABOUT,
                (_, _, cell) -> Refusals.worded(() -> run(door.open().cluster(), cell)));
    }

    private static @Nullable Object run(Cluster cluster, Cell cell) {
        var pools = new TreeMap<String, Pool>();
        var poolOf = new LinkedHashMap<String, Pool>();
        for (var node : cluster.list(Kinds.NODE, "")) {
            var name = node.labels().getOrDefault(POOL, node.name());
            var pool = pools.computeIfAbsent(name, _ -> new Pool(node));
            pool.add(node);
            poolOf.put(node.name(), pool);
        }
        if (pools.isEmpty()) {
            cell.out().println("no nodes; %cluster embedded --pools NAME=NODES adds some");
            return null;
        }
        cluster.list(Kinds.POD, "").stream()
                .filter(pod -> !isOver(pod))
                .forEach(
                        pod -> {
                            var pool = poolOf.get(pod.text("spec", "nodeName"));
                            if (pool != null) {
                                pool.hold(pod);
                            }
                        });
        var table =
                Table.of("POOL", "KIND", "TOPOLOGY", "NODES", "CHIPS", "USED", "FREE", "HOLDER");
        for (var each : pools.entrySet()) {
            table = table.row(each.getValue().row(each.getKey()));
        }
        cell.display(table.display());
        return null;
    }

    private static boolean isOver(Resource pod) {
        return List.of("Succeeded", "Failed").contains(pod.text("status", "phase"));
    }

    private static long chips(JsonNode amounts) {
        return CHIPS.stream().mapToLong(r -> amounts.path(r).asLong(0)).sum();
    }

    private static final class Pool {
        private final String accelerator;
        private final String topology;
        private final Map<String, Integer> holders = new TreeMap<>();
        private int nodes;
        private int ready;
        private long chips;
        private long used;

        Pool(Resource node) {
            var labels = node.labels();
            accelerator =
                    ACCELERATOR.stream()
                            .filter(labels::containsKey)
                            .map(labels::get)
                            .findFirst()
                            .orElse("cpu");
            topology = labels.getOrDefault(TOPOLOGY, "-");
        }

        void add(Resource node) {
            nodes++;
            ready += node.is("Ready") && !node.at("spec", "unschedulable").asBoolean(false) ? 1 : 0;
            chips += chips(node.at("status", "allocatable"));
        }

        void hold(Resource pod) {
            used +=
                    pod.list("spec", "containers").stream()
                            .mapToLong(c -> chips(c.path("resources").path("requests")))
                            .sum();
            holders.merge(holder(pod), 1, Integer::sum);
        }

        /// What a person made: the set, not one of its Jobs.
        private static String holder(Resource pod) {
            var labels = pod.labels();
            for (var label :
                    List.of(
                            "jobset.sigs.k8s.io/jobset-name",
                            "ray.io/cluster",
                            "batch.kubernetes.io/job-name")) {
                if (labels.containsKey(label)) {
                    var kind =
                            switch (label.charAt(0)) {
                                case 'j' -> "jobset/";
                                case 'r' -> "raycluster/";
                                default -> "job/";
                            };
                    return kind + labels.get(label);
                }
            }
            return "pod/" + pod.name();
        }

        Object[] row(String name) {
            var who =
                    holders.entrySet().stream()
                            .map(
                                    e ->
                                            "%s (%d pod%s)"
                                                    .formatted(
                                                            e.getKey(),
                                                            e.getValue(),
                                                            e.getValue() == 1 ? "" : "s"))
                            .collect(Collectors.joining(", "));
            return new Object[] {
                name,
                accelerator,
                topology,
                ready == nodes
                        ? String.valueOf(nodes)
                        : String.format(Locale.ROOT, "%d of %d ready", ready, nodes),
                chips == 0 ? "-" : chips,
                chips == 0 ? "-" : used,
                chips == 0 ? "-" : chips - used,
                who.isEmpty() ? "-" : who
            };
        }
    }
}
