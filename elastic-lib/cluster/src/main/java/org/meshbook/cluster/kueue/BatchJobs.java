package org.meshbook.cluster.kueue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.node.ObjectNode;

/// Jobs of `batch/v1`.
final class BatchJobs implements JobKind {
    private static final String MAIN = "main";

    @Override
    public ResourceKind kind() {
        return Kinds.JOB;
    }

    @Override
    public List<Pods> pods(Resource job) {
        int count = count(job);
        var least = job.annotations().getOrDefault(Marks.MIN_PARALLELISM, "");
        int atLeast = least.isEmpty() ? count : Math.min(count, Integer.parseInt(least));
        return List.of(new Pods(MAIN, count, atLeast, job.at("spec", "template")));
    }

    private static int count(Resource job) {
        int parallelism = job.at("spec", "parallelism").asInt(1);
        return Math.min(parallelism, job.at("spec", "completions").asInt(parallelism));
    }

    @Override
    public Optional<ObjectNode> template(ObjectNode job, String podSet) {
        return Optional.of(job.withObjectProperty("spec").withObjectProperty("template"));
    }

    @Override
    public void resize(ObjectNode job, Map<String, Integer> counts) {
        var annotations = job.path("metadata").path("annotations");
        if (annotations.has(Marks.MIN_PARALLELISM)) {
            job.withObjectProperty("spec").put("parallelism", counts.getOrDefault(MAIN, 1));
        }
    }

    @Override
    public Optional<End> end(Resource job) {
        return JobKind.byCondition(job, "Complete", "Failed");
    }

    @Override
    public boolean active(Cluster cluster, Resource job) {
        return job.at("status", "active").asInt(0) + job.at("status", "terminating").asInt(0) > 0;
    }

    @Override
    public boolean ready(Cluster cluster, Resource job) {
        int ready = job.at("status", "ready").asInt(0) + job.at("status", "succeeded").asInt(0);
        return ready >= count(job);
    }

    @Override
    public Map<String, Integer> reclaimable(Resource job, List<Pods> pods) {
        int parallelism = job.at("spec", "parallelism").asInt(1);
        int succeeded = job.at("status", "succeeded").asInt(0);
        if (parallelism == 1 || succeeded == 0) {
            return Map.of();
        }
        int left = job.at("spec", "completions").asInt(parallelism) - succeeded;
        return left < parallelism ? Map.of(MAIN, parallelism - left) : Map.of();
    }

    @Override
    public boolean elastic() {
        return true;
    }
}
