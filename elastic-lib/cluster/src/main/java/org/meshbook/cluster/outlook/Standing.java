package org.meshbook.cluster.outlook;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.queue.Workload;

/// Where one workload stands, as `kueuectl list workload` tells it.
///
/// @param workload the object
/// @param job its job's name
/// @param kind its job's kind
/// @param localQueue the LocalQueue that it names
/// @param clusterQueue the ClusterQueue that it holds quota of, or waits for; often empty for one
///   whose LocalQueue does not exist
/// @param status `PENDING`, `QUOTARESERVED`, `ADMITTED` or `FINISHED`
/// @param position how many of its own LocalQueue, in its own namespace, come before it; empty for
///   one that does not wait
/// @param ahead how many of its ClusterQueue come before it
/// @param ran how long it has run, or ran
/// @param created since when it is there
public record Standing(
        Resource workload,
        String job,
        String kind,
        String localQueue,
        String clusterQueue,
        String status,
        OptionalInt position,
        OptionalInt ahead,
        Optional<Duration> ran,
        Optional<Instant> created) {

    /// @param snapshot a queue
    /// @return all workloads by namespace and name
    public static List<Standing> all(Snapshot snapshot) {
        var positions = new HashMap<String, Integer>();
        var ahead = new HashMap<String, Integer>();
        for (var queue : snapshot.clusterQueues()) {
            number(snapshot, snapshot.state().waiting(queue.name()), positions, ahead);
        }
        var all = new ArrayList<Standing>();
        snapshot.workloads()
                .forEach((id, workload) -> all.add(of(snapshot, id, workload, positions, ahead)));
        return all;
    }

    /// Queues of the same name in two namespaces are two queues: the namespace is part of the key.
    private static void number(
            Snapshot snapshot,
            List<Workload> waiting,
            Map<String, Integer> positions,
            Map<String, Integer> ahead) {
        var counts = new HashMap<String, Integer>();
        for (int i = 0; i < waiting.size(); i++) {
            var id = waiting.get(i).key();
            var workload = snapshot.workloads().get(id);
            if (workload == null) {
                continue;
            }
            var local = workload.namespace() + "/" + workload.text("spec", "queueName");
            positions.put(id, counts.merge(local, 1, Integer::sum) - 1);
            ahead.put(id, i);
        }
    }

    private static Standing of(
            Snapshot snapshot,
            String id,
            Resource workload,
            Map<String, Integer> positions,
            Map<String, Integer> ahead) {
        return new Standing(
                workload,
                Jobs.name(workload),
                Jobs.kind(workload),
                workload.text("spec", "queueName"),
                snapshot.clusterQueue(workload),
                status(snapshot, workload),
                number(positions.get(id)),
                number(ahead.get(id)),
                ran(workload, snapshot.now()),
                workload.created());
    }

    private static OptionalInt number(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static String status(Snapshot snapshot, Resource workload) {
        if (workload.is("Finished")) {
            return "FINISHED";
        }
        if (workload.is("Admitted")) {
            return "ADMITTED";
        }
        return snapshot.reserves(workload) ? "QUOTARESERVED" : "PENDING";
    }

    static Optional<Duration> ran(Resource workload, Instant now) {
        if (!workload.is("Admitted")) {
            return Optional.empty();
        }
        var end = workload.is("Finished") ? Jobs.since(workload, "Finished").orElse(now) : now;
        return Jobs.since(workload, "Admitted").map(begin -> Duration.between(begin, end));
    }
}
