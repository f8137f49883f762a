package org.meshbook.cluster.metrics;

import java.util.HashMap;
import java.util.Map;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// Whether all pods of a JobSet are ready that should be, kept up to date pod by pod.
final class Readiness {
    private final Map<String, Wanted> wanted = new HashMap<>();
    private final Map<String, Tally> jobs = new HashMap<>();
    private int attempt;
    private int total;
    private int whole;

    /// How a pod stands.
    enum Stage {
        AWAY,
        READY,
        DONE
    }

    /// Which job a pod is of.
    ///
    /// @param replicatedJob its place in the JobSet's spec
    /// @param job the job's name
    /// @param attempt which start of the JobSet, from 0
    record Place(String replicatedJob, String job, int attempt) {}

    private record Wanted(int pods, int completions) {
        boolean by(Tally tally) {
            return tally.ready >= Math.min(pods, completions - tally.done);
        }
    }

    /// The pods of one job in this attempt; those that are done count after they are deleted, too.
    private static final class Tally {
        private final String replicatedJob;
        private int ready;
        private int done;

        Tally(String replicatedJob) {
            this.replicatedJob = replicatedJob;
        }
    }

    /// @param set a JobSet, new or with another spec
    void want(Resource set) {
        wanted.clear();
        total = 0;
        for (var replicated : set.list("spec", "replicatedJobs")) {
            total += replicated.path("replicas").asInt(1);
            wanted.put(
                    replicated.path("name").asString(""),
                    wanted(replicated.path("template").path("spec")));
        }
        whole = (int) jobs.values().stream().filter(this::whole).count();
    }

    private static Wanted wanted(JsonNode job) {
        int pods = job.path("parallelism").asInt(1);
        return new Wanted(pods, job.path("completions").asInt(pods));
    }

    /// The JobSet has started anew; pods of earlier attempts do not count any more.
    ///
    /// @param number how many times it has
    void attempt(int number) {
        if (number > attempt) {
            attempt = number;
            jobs.clear();
            whole = 0;
        }
    }

    void change(Place place, Stage before, Stage after) {
        attempt(place.attempt());
        if (place.attempt() < attempt) {
            return;
        }
        var tally = jobs.computeIfAbsent(place.job(), _ -> new Tally(place.replicatedJob()));
        whole -= whole(tally) ? 1 : 0;
        tally.ready += (after == Stage.READY ? 1 : 0) - (before == Stage.READY ? 1 : 0);
        tally.done += after == Stage.DONE && before != Stage.DONE ? 1 : 0;
        whole += whole(tally) ? 1 : 0;
    }

    private boolean whole(Tally tally) {
        var pods = wanted.get(tally.replicatedJob);
        return pods != null && pods.by(tally);
    }

    boolean all() {
        return total > 0 && whole == total;
    }
}
