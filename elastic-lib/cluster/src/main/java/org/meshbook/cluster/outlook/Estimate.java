package org.meshbook.cluster.outlook;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.print.Age;
import org.meshbook.cluster.queue.Decision;

/// When a workload that waits may be admitted.
///
/// The queue is played on: whoever holds quota ends when he has run as long as the middle one of
/// those that finished in that queue, and the rules decide who comes next. It knows nothing of jobs
/// that are yet to be submitted, nor of those that run longer than others did.
///
/// @param time how long from now; empty if nobody can tell
/// @param basis what it is based on, or why there is none
public record Estimate(Optional<Duration> time, String basis) {
    private static final int MOST_ENDS = 5_000;

    /// The middle run time of a queue.
    private record Past(Duration middle, int count) {}

    private record End(String key, String queue, Instant at) {}

    /// @param snapshot a queue
    /// @return an estimate for each workload that waits, by `namespace/name`
    public static Map<String, Estimate> all(Snapshot snapshot) {
        var past = past(snapshot);
        var admitted = past.isEmpty() ? Map.<String, Instant>of() : played(snapshot, past);
        var estimates = new HashMap<String, Estimate>();
        for (var queue : snapshot.clusterQueues()) {
            for (var workload : snapshot.state().waiting(queue.name())) {
                var at = Optional.ofNullable(admitted.get(workload.key()));
                estimates.put(
                        workload.key(),
                        new Estimate(
                                at.map(time -> Duration.between(snapshot.now(), time)),
                                basis(past.get(queue.name()), at.isPresent())));
            }
        }
        return estimates;
    }

    private static String basis(@Nullable Past past, boolean comes) {
        if (past == null) {
            return "no job of this queue has finished yet";
        }
        var known =
                "the middle run time of %d finished job%s of this queue, %s"
                        .formatted(past.count, past.count == 1 ? "" : "s", Age.of(past.middle));
        return comes ? known : "by " + known + ", its turn does not come";
    }

    /// @return as people read it
    public String text() {
        return time.map(left -> "in about %s, by %s".formatted(Age.of(left), basis))
                .orElse("nobody can tell when: " + basis);
    }

    private static Map<String, Past> past(Snapshot snapshot) {
        var times = new HashMap<String, List<Duration>>();
        for (var workload : snapshot.workloads().values()) {
            if (workload.is("Finished")) {
                Standing.ran(workload, snapshot.now())
                        .ifPresent(
                                time ->
                                        times.computeIfAbsent(
                                                        snapshot.clusterQueue(workload),
                                                        _ -> new ArrayList<>())
                                                .add(time));
            }
        }
        var past = new HashMap<String, Past>();
        times.forEach(
                (queue, all) -> {
                    all.sort(null);
                    past.put(queue, new Past(all.get(all.size() / 2), all.size()));
                });
        return past;
    }

    private static Map<String, Instant> played(Snapshot snapshot, Map<String, Past> past) {
        var rehearsal = new Rehearsal(snapshot);
        var state = rehearsal.state();
        var ends = new PriorityQueue<>(Comparator.comparing(End::at).thenComparing(End::key));
        for (var queue : snapshot.clusterQueues()) {
            for (var held : state.holders(queue.name())) {
                end(held.key(), queue.name(), held.reservedAt(), past)
                        .map(e -> e.at.isAfter(snapshot.now()) ? e : overdue(e, snapshot.now()))
                        .ifPresent(ends::add);
            }
        }
        var admitted = new HashMap<String, Instant>();
        var at = snapshot.now();
        for (int i = 0; i < MOST_ENDS; i++) {
            for (var decision : rehearsal.settle(at)) {
                if (decision instanceof Decision.Admit admit) {
                    var workload = admit.workload();
                    admitted.putIfAbsent(workload.key(), at);
                    end(workload.key(), workload.queue(), at, past).ifPresent(ends::add);
                }
            }
            var next = ends.poll();
            if (next == null) {
                break;
            }
            if (state.held(next.key).isPresent()) {
                state.release(next.key, next.at);
                var delay = state.rules().flushDelay();
                at = next.at.isAfter(at) ? next.at.plus(delay) : at.plus(delay);
            }
        }
        return admitted;
    }

    /// One that has run longer than others did may end at any moment.
    private static End overdue(End end, Instant now) {
        return new End(end.key, end.queue, now.plusSeconds(1));
    }

    private static Optional<End> end(
            String key, String queue, Instant since, Map<String, Past> past) {
        return Optional.ofNullable(past.get(queue))
                .map(known -> new End(key, queue, since.plus(known.middle)));
    }
}
