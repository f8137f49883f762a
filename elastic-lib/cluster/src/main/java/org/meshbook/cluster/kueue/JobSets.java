package org.meshbook.cluster.kueue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JobSets.
final class JobSets implements JobKind {
    @Override
    public ResourceKind kind() {
        return Kinds.JOB_SET;
    }

    @Override
    public Set<ResourceKind> children() {
        return Set.of(Kinds.JOB);
    }

    @Override
    public List<Pods> pods(Resource job) {
        var pods = new ArrayList<Pods>();
        for (var replicated : job.list("spec", "replicatedJobs")) {
            var spec = replicated.path("template").path("spec");
            int count = replicated.path("replicas").asInt(1) * podsPerJob(spec);
            pods.add(new Pods(Specs.text(replicated, "name"), count, count, spec.path("template")));
        }
        return pods;
    }

    private static int podsPerJob(JsonNode spec) {
        int parallelism = spec.path("parallelism").asInt(1);
        return Math.min(parallelism, spec.path("completions").asInt(parallelism));
    }

    @Override
    public Optional<ObjectNode> template(ObjectNode job, String podSet) {
        for (var replicated : job.path("spec").path("replicatedJobs")) {
            if (Specs.text(replicated, "name").equals(podSet)) {
                return Optional.of(
                        ((ObjectNode) replicated)
                                .withObjectProperty("template")
                                .withObjectProperty("spec")
                                .withObjectProperty("template"));
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<End> end(Resource job) {
        return JobKind.byCondition(job, "Completed", "Failed");
    }

    @Override
    public boolean active(Cluster cluster, Resource job) {
        boolean active =
                job.list("status", "replicatedJobsStatus").stream()
                        .anyMatch(s -> s.path("active").asInt(0) > 0);
        return active
                || cluster.ownedBy(job, Kinds.JOB).stream()
                        .anyMatch(
                                j ->
                                        j.at("status", "active").asInt(0)
                                                        + j.at("status", "terminating").asInt(0)
                                                > 0);
    }

    @Override
    public boolean ready(Cluster cluster, Resource job) {
        var replicas = new LinkedHashMap<String, Integer>();
        job.list("spec", "replicatedJobs")
                .forEach(r -> replicas.put(Specs.text(r, "name"), r.path("replicas").asInt(1)));
        for (var status : job.list("status", "replicatedJobsStatus")) {
            int ready = status.path("ready").asInt(0) + status.path("succeeded").asInt(0);
            replicas.computeIfPresent(Specs.text(status, "name"), (_, wanted) -> wanted - ready);
        }
        return replicas.values().stream().allMatch(missing -> missing <= 0);
    }

    @Override
    public Map<String, Integer> reclaimable(Resource job, List<Pods> pods) {
        var done = new LinkedHashMap<String, Integer>();
        for (var status : job.list("status", "replicatedJobsStatus")) {
            int succeeded = status.path("succeeded").asInt(0);
            if (succeeded > 0) {
                done.put(Specs.text(status, "name"), succeeded);
            }
        }
        var pending = new LinkedHashMap<String, Integer>();
        for (var replicated : job.list("spec", "replicatedJobs")) {
            var name = Specs.text(replicated, "name");
            int jobs = done.getOrDefault(name, 0);
            if (jobs > 0) {
                pending.put(name, jobs * podsPerJob(replicated.path("template").path("spec")));
            }
        }
        return pending;
    }
}
