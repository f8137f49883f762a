package org.meshbook.cluster.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import tools.jackson.databind.JsonNode;

/// The figures of Kueue's queues: what waits, what runs, how long it waited, what lost its quota.
///
/// Guarded by [ClusterMetrics].
final class QueueFigures {
    private static final List<Double> WAITS =
            Stream.concat(Stream.of(1.0), Stream.iterate(2.5, bound -> bound * 2).limit(13))
                    .toList();
    private static final String PREEMPTED = "Preempted";

    private final Map<ResourceKey, Resource> clusterQueues = new TreeMap<>();
    private final Map<ResourceKey, String> localQueues = new HashMap<>();
    private final Map<ResourceKey, Seen> workloads = new HashMap<>();
    private final Map<String, Counts> counts = new HashMap<>();

    /// Where a workload is on its way.
    enum Stage {
        /// Waits and is tried.
        ACTIVE,
        /// Waits until the cluster changes.
        INADMISSIBLE,
        RESERVING,
        ADMITTED,
        FINISHED;

        boolean reserves() {
            return this == RESERVING || this == ADMITTED;
        }
    }

    /// Why workloads lost their quota.
    ///
    /// @param reason of the eviction
    /// @param cause behind it; often empty
    record Loss(String reason, String cause) implements Comparable<Loss> {
        @Override
        public int compareTo(Loss other) {
            int byReason = reason.compareTo(other.reason);
            return byReason != 0 ? byReason : cause.compareTo(other.cause);
        }
    }

    /// What was counted of one cluster queue.
    static final class Counts {
        long reserved;
        long admitted;
        final Histogram waits = new Histogram(WAITS);
        final Histogram reservationWaits = new Histogram(WAITS);
        final Map<Loss, Long> evicted = new TreeMap<>();

        /// By what it preempted for.
        final Map<String, Long> preempted = new TreeMap<>();
    }

    private record Seen(String queue, Stage stage, Map<Loss, Long> losses) {
        static final Seen NEW = new Seen("", Stage.ACTIVE, Map.of());
    }

    void clusterQueue(Resource queue) {
        clusterQueues.put(queue.key(), queue);
    }

    void clusterQueueGone(Resource queue) {
        clusterQueues.remove(queue.key());
        counts.remove(queue.name());
    }

    void localQueue(Resource queue) {
        localQueues.put(queue.key(), queue.text("spec", "clusterQueue"));
    }

    void localQueueGone(Resource queue) {
        localQueues.remove(queue.key());
    }

    void workloadGone(Resource workload) {
        workloads.remove(workload.key());
    }

    /// @param workload a workload as it is now
    /// @param now since when, at the latest
    void workload(Resource workload, Instant now) {
        var before = workloads.getOrDefault(workload.key(), Seen.NEW);
        var after = new Seen(queue(workload, before), stage(workload), losses(workload));
        workloads.put(workload.key(), after);
        if (after.queue.isEmpty()) {
            return;
        }
        var counted = counts.computeIfAbsent(after.queue, _ -> new Counts());
        boolean fresh = before == Seen.NEW;
        if (reached(workload, "QuotaReserved", fresh, before.stage.reserves())) {
            counted.reserved++;
            counted.reservationWaits.add(waited(workload, "QuotaReserved", fresh, now));
        }
        if (reached(workload, "Admitted", fresh, before.stage == Stage.ADMITTED)) {
            counted.admitted++;
            counted.waits.add(waited(workload, "Admitted", fresh, now));
        }
        after.losses.forEach(
                (loss, times) -> {
                    long more = times - before.losses.getOrDefault(loss, 0L);
                    if (more > 0) {
                        lost(workload, after.queue, loss, more);
                    }
                });
    }

    /// A workload that has ended keeps its condition: it counts when it is first seen.
    private static boolean reached(
            Resource workload, String condition, boolean fresh, boolean before) {
        return workload.is(condition) && !before && (fresh || !workload.is("Finished"));
    }

    private static Duration waited(Resource workload, String until, boolean fresh, Instant now) {
        var end = fresh ? since(workload, until, now) : now;
        var created = workload.created().orElse(end);
        var queued = workload.is("Requeued") ? since(workload, "Requeued", created) : created;
        return queued.isAfter(end) ? Duration.ZERO : Duration.between(queued, end);
    }

    private static Instant since(Resource workload, String condition, Instant otherwise) {
        return workload.condition(condition)
                .map(c -> c.path("lastTransitionTime").asString(""))
                .filter(text -> !text.isEmpty())
                .map(Instant::parse)
                .orElse(otherwise);
    }

    private void lost(Resource workload, String queue, Loss loss, long times) {
        counts.computeIfAbsent(queue, _ -> new Counts()).evicted.merge(loss, times, Long::sum);
        if (loss.reason.equals(PREEMPTED)) {
            var why = workload.condition(PREEMPTED);
            var reason = why.map(c -> c.path("reason").asString("")).orElse("InClusterQueue");
            var by = preemptor(why.map(c -> c.path("message").asString("")).orElse(""), queue);
            counts.computeIfAbsent(by, _ -> new Counts()).preempted.merge(reason, times, Long::sum);
        }
    }

    /// The queue at the end of the preemptor's path, which Kueue's message tells from 0.15 on.
    private static String preemptor(String message, String otherwise) {
        int at = message.indexOf("preemptor path: ");
        if (at < 0) {
            return otherwise;
        }
        var path = message.substring(at).split("[ ;]+")[2];
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private String queue(Resource workload, Seen before) {
        var holds = workload.text("status", "admission", "clusterQueue");
        if (!holds.isEmpty()) {
            return holds;
        }
        var local = Kinds.LOCAL_QUEUE.key(workload.namespace(), workload.text("spec", "queueName"));
        return localQueues.getOrDefault(local, before.queue);
    }

    private Stage stage(Resource workload) {
        if (workload.is("Finished")) {
            return Stage.FINISHED;
        }
        if (workload.is("Admitted")) {
            return Stage.ADMITTED;
        }
        if (workload.is("QuotaReserved")) {
            return Stage.RESERVING;
        }
        return workload.condition("QuotaReserved")
                        .filter(c -> parked(c.path("message").asString("")))
                        .isPresent()
                ? Stage.INADMISSIBLE
                : Stage.ACTIVE;
    }

    /// One that preempts is tried until its victims have gone; one that lost its quota, at once.
    private static boolean parked(String message) {
        return !message.contains("Pending the preemption of") && !message.startsWith(PREEMPTED);
    }

    private static Map<Loss, Long> losses(Resource workload) {
        var all = workload.list("status", "schedulingStats", "evictions");
        if (all.isEmpty()) {
            return Map.of();
        }
        var losses = new HashMap<Loss, Long>();
        for (JsonNode entry : all) {
            var loss =
                    new Loss(
                            entry.path("reason").asString(""),
                            entry.path("underlyingCause").asString(""));
            losses.put(loss, entry.path("count").asLong(0));
        }
        return losses;
    }

    Iterable<Resource> clusterQueues() {
        return clusterQueues.values();
    }

    Counts counts(String queue) {
        return counts.computeIfAbsent(queue, _ -> new Counts());
    }

    /// @return how many workloads of each queue are at each stage
    Map<String, Map<Stage, Long>> stages() {
        var stages = new HashMap<String, Map<Stage, Long>>();
        for (var seen : workloads.values()) {
            stages.computeIfAbsent(seen.queue, _ -> new HashMap<>())
                    .merge(seen.stage, 1L, Long::sum);
        }
        return stages;
    }
}
