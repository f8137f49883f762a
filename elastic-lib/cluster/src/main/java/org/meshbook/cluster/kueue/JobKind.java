package org.meshbook.cluster.kueue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What Kueue has to know about one kind of job.
interface JobKind {
    ResourceKind kind();

    /// @return kinds of its objects whose changes tell whether it has pods
    default Set<ResourceKind> children() {
        return Set.of();
    }

    /// @return its name among Kueue's integrations, such as `batch/job`
    default String framework() {
        return kind().group() + "/" + kind().kind().toLowerCase(Locale.ROOT);
    }

    /// @return who reports events about it
    default String reporter() {
        return framework() + "-kueue-controller";
    }

    /// Equal pods of a job.
    ///
    /// @param name name of the pod set
    /// @param count how many pods
    /// @param least how many are enough
    /// @param template their template
    record Pods(String name, int count, int least, JsonNode template) {}

    List<Pods> pods(Resource job);

    /// Notes on the job what its pods can be counted by, where that lies in another object.
    ///
    /// @param job the job, edited
    /// @param cluster where the other object is
    default void note(ObjectNode job, Cluster cluster) {}

    /// @param job the job, edited
    /// @param podSet name of a pod set
    /// @return its template in it; empty if it has none that could be changed
    Optional<ObjectNode> template(ObjectNode job, String podSet);

    default boolean suspended(Resource job) {
        return job.at("spec", "suspend").asBoolean(false);
    }

    default void suspend(ObjectNode job, boolean on) {
        job.withObjectProperty("spec").put("suspend", on);
    }

    /// @param job a job that is about to be made, edited: it is to wait for its admission
    default void hold(ObjectNode job) {
        suspend(job, true);
    }

    /// @return whether it was held when it was made, as all are that can be suspended later
    default boolean held(Resource job) {
        return true;
    }

    /// @return whether it is deleted where others are suspended
    default boolean stopsByDeletion() {
        return false;
    }

    /// Sets how many pods are to run, where the kind can run fewer than it asked for.
    default void resize(ObjectNode job, Map<String, Integer> counts) {}

    /// How a job ended.
    ///
    /// @param succeeded whether well
    /// @param message in its own words
    record End(boolean succeeded, String message) {}

    Optional<End> end(Resource job);

    /// @return whether it has pods, those that are about to end included
    boolean active(Cluster cluster, Resource job);

    boolean ready(Cluster cluster, Resource job);

    /// @return how many pods of each pod set are done and need their quota no more
    default Map<String, Integer> reclaimable(Resource job, List<Pods> pods) {
        return Map.of();
    }

    /// @return whether its size may change while it runs, by workload slices
    default boolean elastic() {
        return false;
    }

    static Optional<End> byCondition(Resource job, String good, String bad) {
        for (var type : List.of(good, bad)) {
            if (job.is(type)) {
                var message = job.condition(type).orElseThrow().path("message").asString("");
                return Optional.of(new End(type.equals(good), message));
            }
        }
        return Optional.empty();
    }
}
