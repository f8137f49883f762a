package org.meshbook.cluster.jobs.set;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// The jobs of a set, sorted by how they stand.
///
/// @param active running, waiting or suspended ones of this attempt
/// @param succeeded complete ones of this attempt
/// @param failed failed ones of this attempt, the earliest failure first
/// @param previous those of earlier attempts
record ChildJobs(
        List<Resource> active,
        List<Resource> succeeded,
        List<Resource> failed,
        List<Resource> previous) {
    static ChildJobs of(Resource set, List<Resource> jobs) {
        int attempt = set.at("status", "restarts").asInt(0);
        var sorted =
                new ChildJobs(
                        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (var job : jobs) {
            if (Integer.parseInt(job.labels().getOrDefault(Keys.ATTEMPT, "0")) < attempt) {
                sorted.previous.add(job);
            } else if (job.is("Failed")) {
                sorted.failed.add(job);
            } else if (job.is("Complete")) {
                sorted.succeeded.add(job);
            } else {
                sorted.active.add(job);
            }
        }
        sorted.failed.sort(
                Comparator.comparing((Resource j) -> failedAt(j)).thenComparing(Resource::name));
        return sorted;
    }

    private static String failedAt(Resource job) {
        return failure(job).path("lastTransitionTime").asString("");
    }

    static JsonNode failure(Resource job) {
        return job.condition("Failed").orElseThrow();
    }

    static boolean suspended(Resource job) {
        return job.at("spec", "suspend").asBoolean(false);
    }

    static boolean of(Resource job, String replicatedJob) {
        return job.labels().getOrDefault(Keys.REPLICATED_JOB, "").equals(replicatedJob);
    }

    boolean exists(String name) {
        return Stream.of(active, succeeded, failed, previous)
                .flatMap(List::stream)
                .anyMatch(job -> job.name().equals(name));
    }

    Optional<Resource> firstFailed() {
        return failed.stream().findFirst();
    }

    /// How the replicas of one replicated job stand.
    record Tally(int ready, int succeeded, int failed, int active, int suspended) {
        /// @return how many have got as far as to be ready
        int started() {
            return ready + succeeded + failed;
        }
    }

    Tally tally(String replicatedJob) {
        int ready = 0;
        int running = 0;
        int held = 0;
        for (var job : active) {
            if (of(job, replicatedJob)) {
                ready += ready(job) ? 1 : 0;
                running += job.at("status", "active").asInt(0) > 0 ? 1 : 0;
                held += suspended(job) ? 1 : 0;
            }
        }
        return new Tally(
                ready,
                count(succeeded, replicatedJob),
                count(failed, replicatedJob),
                running,
                held);
    }

    private static boolean ready(Resource job) {
        int wanted = podsOf(job.at("spec"));
        return wanted > 0
                && job.at("status", "ready").asInt(0) + job.at("status", "succeeded").asInt(0)
                        >= wanted;
    }

    /// @param spec a job's spec
    /// @return how many pods run at once
    static int podsOf(JsonNode spec) {
        int parallelism = spec.path("parallelism").asInt(1);
        return Math.min(parallelism, spec.path("completions").asInt(parallelism));
    }

    private static int count(List<Resource> jobs, String replicatedJob) {
        return (int) jobs.stream().filter(job -> of(job, replicatedJob)).count();
    }
}
