package org.meshbook.magics.jobs;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Refusals;

/// `%pool`: breaks a node pool of the embedded cluster, and repairs it.
final class PoolMagic {
    private static final String POOL = "cloud.google.com/gke-nodepool";
    private static final List<String> WAYS = List.of("lose", "repair");
    private static final Grammar GRAMMAR =
            new Grammar("%pool", List.of("lose|repair", "NAME"), List.of());
    private static final String ABOUT =
            """
            Breaks a node pool of the embedded cluster, and repairs it.

            %pool lose v6e-1        its nodes are gone, its pods are killed
            %pool repair v6e-1      its nodes are back, as they were

            A pool of TPUs is one slice: it is lost as a whole.
            """;

    private PoolMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing((start, _) -> WAYS.stream().filter(w -> w.startsWith(start)).toList());
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        var way = given.word(0).orElse("");
        if (!WAYS.contains(way)) {
            throw new MagicException(
                    "%%pool does not know '%s'%s; write %%pool lose NAME or %%pool repair NAME"
                            .formatted(way, Nearest.hint(way, WAYS)));
        }
        var pool =
                given.word(1)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%%pool %s needs the name of a node pool"
                                                        .formatted(way)));
        var open = door.open();
        if (!open.embedded()) {
            throw new MagicException(
                    "%%pool breaks pools of the embedded cluster only; this is %s"
                            .formatted(open.title()));
        }
        if (way.equals("lose")) {
            var nodes = nodes(open.cluster(), pool);
            var pods = pods(open.cluster(), nodes);
            door.embedded(Map.of("lose", pool));
            cell.out().println("pool %s is lost: %d nodes%s".formatted(pool, nodes.size(), pods));
        } else {
            int nodes = nodes(door.embedded(Map.of("repair", pool)).cluster(), pool).size();
            cell.out().println("pool %s is back: %d nodes".formatted(pool, nodes));
        }
        return null;
    }

    private static Set<String> nodes(Cluster cluster, String pool) {
        return cluster.list(Kinds.NODE, "").stream()
                .filter(node -> pool.equals(node.labels().get(POOL)))
                .map(Resource::name)
                .collect(Collectors.toSet());
    }

    /// As `, with 4 pods of train`.
    private static String pods(Cluster cluster, Set<String> nodes) {
        var owners = new TreeMap<String, Integer>();
        for (var pod : cluster.list(Kinds.POD, "")) {
            if (nodes.contains(pod.text("spec", "nodeName"))) {
                owners.merge(owner(pod), 1, Integer::sum);
            }
        }
        return owners.isEmpty()
                ? ", no pod was there"
                : owners.entrySet().stream()
                        .map(owner -> "%d pods of %s".formatted(owner.getValue(), owner.getKey()))
                        .collect(Collectors.joining(" and ", ", with ", ""));
    }

    private static String owner(Resource pod) {
        var labels = pod.labels();
        return labels.getOrDefault(
                "jobset.sigs.k8s.io/jobset-name",
                labels.getOrDefault("batch.kubernetes.io/job-name", pod.name()));
    }
}
