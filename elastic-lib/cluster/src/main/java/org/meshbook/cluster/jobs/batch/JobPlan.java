package org.meshbook.cluster.jobs.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.cluster.Resource;

/// What to do about a Job now.
///
/// @param target why it is about to end: `Complete`, or the reason of its failure
/// @param message that reason in a sentence
/// @param indexes completion indexes to make pods for; -1 for a pod without
/// @param surplus pods to take away without counting them
/// @param over whether it has ended: nothing of it runs any more
record JobPlan(
        Optional<String> target,
        String message,
        List<Integer> indexes,
        List<Resource> surplus,
        boolean over) {
    static final String COMPLETE = "Complete";

    /// Decides; pure.
    ///
    /// @param job the Job
    /// @param pods how its pods stand
    /// @param now present time
    static JobPlan of(Resource job, PodTally pods, Instant now) {
        var spec = new JobSpec(job);
        var failure = failure(job, spec, pods, now);
        if (failure.isPresent()) {
            return ending(failure.get(), pods);
        }
        if (complete(spec, pods)) {
            var failed = !pods.failedIndexes().isEmpty();
            return ending(
                    failed
                            ? new Failure("FailedIndexes", "Job has failed indexes")
                            : new Failure(COMPLETE, "Reached expected number of succeeded pods"),
                    pods);
        }
        if (spec.suspended()) {
            return running(List.of(), pods.active());
        }
        int wanted = wanted(spec, pods);
        int more = wanted - pods.active().size();
        if (spec.indexed()) {
            return indexed(spec, pods, more);
        }
        return more >= 0
                ? running(IntStream.range(0, more).map(_ -> -1).boxed().toList(), List.of())
                : running(List.of(), youngest(pods.active(), -more));
    }

    private record Failure(String reason, String message) {}

    private static JobPlan ending(Failure why, PodTally pods) {
        boolean over = pods.active().isEmpty() && pods.terminating() == 0;
        return new JobPlan(Optional.of(why.reason()), why.message(), List.of(), List.of(), over);
    }

    private static JobPlan running(List<Integer> indexes, List<Resource> surplus) {
        return new JobPlan(Optional.empty(), "", indexes, surplus, false);
    }

    private static Optional<Failure> failure(
            Resource job, JobSpec spec, PodTally pods, Instant now) {
        var before = job.condition("FailureTarget").filter(_ -> job.is("FailureTarget"));
        if (before.isPresent()) {
            return before.map(
                    c ->
                            new Failure(
                                    c.path("reason").asString(""), c.path("message").asString("")));
        }
        if (pods.failJob().isPresent()) {
            return pods.failJob().map(text -> new Failure("PodFailurePolicy", text));
        }
        int limit = spec.backoffLimit();
        boolean inPlace =
                spec.restartsInPlace()
                        && (limit == 0 ? pods.restarts() > 0 : pods.restarts() >= limit);
        if (pods.failed() > limit || inPlace) {
            return Optional.of(
                    new Failure(
                            "BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        }
        if (deadline(job).filter(end -> !now.isBefore(end)).isPresent()) {
            return Optional.of(
                    new Failure(
                            "DeadlineExceeded", "Job was active longer than specified deadline"));
        }
        var most = spec.maxFailedIndexes();
        return most.isPresent() && pods.failedIndexes().size() > most.getAsInt()
                ? Optional.of(
                        new Failure(
                                "MaxFailedIndexesExceeded",
                                "Job has exceeded the specified maximal number of failed indexes"))
                : Optional.empty();
    }

    /// @param job a Job
    /// @return when it is over at the latest
    static Optional<Instant> deadline(Resource job) {
        var seconds = new JobSpec(job).activeDeadlineSeconds();
        return seconds.isEmpty() || job.at("spec", "suspend").asBoolean(false)
                ? Optional.empty()
                : job.time("status", "startTime").map(s -> s.plusSeconds(seconds.getAsInt()));
    }

    private static boolean complete(JobSpec spec, PodTally pods) {
        var completions = spec.completions();
        if (completions.isEmpty()) {
            return pods.succeeded() > 0 && pods.active().isEmpty();
        }
        return pods.succeeded() + pods.failedIndexes().size() >= completions.getAsInt();
    }

    private static int wanted(JobSpec spec, PodTally pods) {
        var completions = spec.completions();
        if (completions.isEmpty()) {
            return pods.succeeded() > 0 ? pods.active().size() : spec.parallelism();
        }
        int left = completions.getAsInt() - pods.succeeded() - pods.failedIndexes().size();
        int held = spec.endingIsFailed() ? 0 : pods.terminating();
        return Math.min(spec.parallelism(), left) - held;
    }

    private static JobPlan indexed(JobSpec spec, PodTally pods, int more) {
        var taken = pods.active().stream().map(PodTally::index).collect(Collectors.toSet());
        var doubles = new ArrayList<Resource>();
        var seen = new HashSet<Integer>();
        for (var pod : pods.active()) {
            int index = PodTally.index(pod);
            if (!seen.add(index) || index >= spec.completions().orElse(0)) {
                doubles.add(pod);
            }
        }
        var indexes =
                IntStream.range(0, spec.completions().orElse(0))
                        .filter(i -> !taken.contains(i))
                        .filter(i -> !pods.succeededIndexes().contains(i))
                        .filter(i -> !pods.failedIndexes().contains(i))
                        .limit(Math.max(0, more))
                        .boxed()
                        .toList();
        if (more < 0) {
            doubles.addAll(youngest(pods.active(), -more));
        }
        return running(indexes, doubles);
    }

    private static List<Resource> youngest(List<Resource> pods, int count) {
        return pods.subList(Math.max(0, pods.size() - count), pods.size());
    }

    /// How long a Job waits after its pods failed, one after the other.
    ///
    /// @param failures how many
    static Duration pause(int failures) {
        var pause = Duration.ofSeconds(10).multipliedBy(1L << Math.min(failures - 1, 10));
        var most = Duration.ofMinutes(6);
        return pause.compareTo(most) < 0 ? pause : most;
    }
}
