package org.meshbook.magics.jobs.door;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Resource;

/// How a job fares, in one word: from its conditions, and from its Workload if it has one.
///
/// @param word such as `Pending` or `Completed`
/// @param ended whether nothing of it will run any more
/// @param failed whether it ended otherwise than it should
/// @param why more about it, in the words of its controller; often empty
public record JobState(String word, boolean ended, boolean failed, String why) {
    private static JobState going(String word) {
        return new JobState(word, false, false, "");
    }

    /// @param job a JobSet, Job, RayJob or RayCluster
    /// @param workload its Workload
    /// @return how it fares
    public static JobState of(Resource job, Optional<Resource> workload) {
        var end = end(job);
        if (end.isPresent()) {
            return end.get();
        }
        if (job.deleting()) {
            return going("Deleting");
        }
        return workload.flatMap(JobState::queued).orElseGet(() -> going(own(job)));
    }

    /// @param job a job, or a pod
    /// @return how it ended, if it has; a RayCluster never does
    public static Optional<JobState> end(Resource job) {
        return switch (job.kind().kind()) {
            case "Job" -> ended(job, "Complete", "Failed");
            case "JobSet" ->
                    ended(job, "Completed", "Failed").or(() -> terminal(job, "terminalState", ""));
            case "RayJob" -> terminal(job, "jobDeploymentStatus", message(job));
            case "Pod" -> terminal(job, "phase", job.text("status", "message"));
            default -> Optional.empty();
        };
    }

    private static Optional<JobState> ended(Resource job, String good, String bad) {
        if (job.is(bad)) {
            return Optional.of(new JobState("Failed", true, true, message(job, bad)));
        }
        return job.is(good)
                ? Optional.of(new JobState("Completed", true, false, message(job, good)))
                : Optional.empty();
    }

    private static Optional<JobState> terminal(Resource job, String field, String why) {
        return switch (job.text("status", field)) {
            case "Completed", "Complete", "Succeeded" -> {
                boolean failed = job.text("status", "jobStatus").equals("FAILED");
                yield Optional.of(new JobState(failed ? "Failed" : "Completed", true, failed, why));
            }
            case "Failed", "ValidationFailed" ->
                    Optional.of(new JobState("Failed", true, true, why));
            default -> Optional.empty();
        };
    }

    private static String message(Resource job) {
        return job.text("status", "message");
    }

    private static String message(Resource job, String condition) {
        return job.condition(condition).map(c -> c.path("message").asString("")).orElse("");
    }

    /// Only while Kueue holds it back; what is admitted fares as its own controller says.
    private static Optional<JobState> queued(Resource workload) {
        if (workload.is("Finished")) {
            return Optional.empty();
        }
        // Also while its pods end, and until its quota is given back.
        if (!workload.at("spec", "active").asBoolean(true)) {
            return Optional.of(new JobState("Held", false, false, "its workload is not active"));
        }
        if (workload.is("Admitted")) {
            return Optional.empty();
        }
        var why = message(workload, "QuotaReserved");
        return Optional.of(
                workload.is("QuotaReserved")
                        ? new JobState("QuotaReserved", false, false, why)
                        : new JobState("Pending", false, false, why));
    }

    private static String own(Resource job) {
        boolean suspended = job.at("spec", "suspend").asBoolean(false) || job.is("Suspended");
        if (suspended) {
            return "Suspended";
        }
        return switch (job.kind().kind()) {
            case "Job" -> job.at("status", "ready").asInt(0) > 0 ? "Running" : "Starting";
            case "JobSet" -> {
                int ready =
                        job.list("status", "replicatedJobsStatus").stream()
                                .mapToInt(s -> s.path("ready").asInt(0))
                                .sum();
                yield ready > 0 ? "Running" : "Starting";
            }
            case "RayJob" -> or(job.text("status", "jobDeploymentStatus"));
            default -> or(job.text("status", "state"));
        };
    }

    private static String or(String state) {
        return state.isEmpty() ? "Starting" : state;
    }

    /// The place of a workload among those that wait in its LocalQueue: by priority, then by age.
    ///
    /// @param workload a workload that waits
    /// @param all workloads of the cluster
    /// @return such as `2 of 3`; empty if it does not wait
    public static Optional<String> position(Resource workload, List<Resource> all) {
        var waiting =
                all.stream()
                        .filter(w -> w.namespace().equals(workload.namespace()))
                        .filter(w -> queue(w).equals(queue(workload)))
                        .filter(JobState::waits)
                        .sorted(
                                Comparator.comparingInt(JobState::priority)
                                        .reversed()
                                        .thenComparing(w -> w.text("metadata", "creationTimestamp"))
                                        .thenComparing(Resource::uid))
                        .map(Resource::uid)
                        .toList();
        int place = waiting.indexOf(workload.uid());
        return place < 0
                ? Optional.empty()
                : Optional.of("%d of %d".formatted(place + 1, waiting.size()));
    }

    private static String queue(Resource workload) {
        return workload.text("spec", "queueName");
    }

    private static int priority(Resource workload) {
        return workload.at("spec", "priority").asInt(0);
    }

    private static boolean waits(Resource workload) {
        return !workload.is("QuotaReserved")
                && !workload.is("Finished")
                && workload.at("spec", "active").asBoolean(true);
    }
}
