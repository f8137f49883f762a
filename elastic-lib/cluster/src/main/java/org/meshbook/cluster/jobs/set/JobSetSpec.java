package org.meshbook.cluster.jobs.set;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// What a JobSet asks for, defaults filled in.
///
/// @param set the JobSet
record JobSetSpec(Resource set) {
    boolean suspended() {
        return set.at("spec", "suspend").asBoolean(false);
    }

    List<JsonNode> replicatedJobs() {
        return set.list("spec", "replicatedJobs");
    }

    static String nameOf(JsonNode replicatedJob) {
        return replicatedJob.path("name").asString("");
    }

    static int replicas(JsonNode replicatedJob) {
        return replicatedJob.path("replicas").asInt(1);
    }

    /// @return names of the jobs of one replicated job
    List<String> jobNames(JsonNode replicatedJob) {
        return IntStream.range(0, replicas(replicatedJob))
                .mapToObj(i -> "%s-%s-%d".formatted(set.name(), nameOf(replicatedJob), i))
                .toList();
    }

    int jobs() {
        return replicatedJobs().stream().mapToInt(JobSetSpec::replicas).sum();
    }

    boolean inOrder() {
        return set.text("spec", "startupPolicy", "startupPolicyOrder").equals("InOrder");
    }

    boolean hasFailurePolicy() {
        return !set.at("spec", "failurePolicy").isMissingNode();
    }

    int maxRestarts() {
        return set.at("spec", "failurePolicy", "maxRestarts").asInt(0);
    }

    boolean blockingRecreate() {
        return set.text("spec", "failurePolicy", "restartStrategy").equals("BlockingRecreate");
    }

    List<JsonNode> failureRules() {
        return set.list("spec", "failurePolicy", "rules");
    }

    boolean anySuccess() {
        return set.text("spec", "successPolicy", "operator").equals("Any");
    }

    /// @return names of replicated jobs whose success counts; none means all
    List<String> successTargets() {
        return texts(set.at("spec", "successPolicy", "targetReplicatedJobs"));
    }

    boolean dns() {
        return set.at("spec", "network", "enableDNSHostnames").asBoolean(true);
    }

    String subdomain() {
        var given = set.text("spec", "network", "subdomain");
        return given.isEmpty() ? set.name() : given;
    }

    /// @return label of nodes whose value each job has for itself
    Optional<String> exclusiveTopology(JsonNode replicatedJob) {
        var own =
                replicatedJob
                        .path("template")
                        .path("metadata")
                        .path("annotations")
                        .path(Keys.EXCLUSIVE)
                        .asString("");
        var all = set.annotations().getOrDefault(Keys.EXCLUSIVE, "");
        return Optional.of(all.isEmpty() ? own : all).filter(key -> !key.isEmpty());
    }

    static List<String> texts(JsonNode list) {
        return list.valueStream().map(n -> n.asString("")).toList();
    }
}
