package org.meshbook.cluster.kueue;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.queue.QueueState.Refusal;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.JsonNode;

/// What keeps a workload from being tried at all, in the words of the condition.
final class Obstacles {
    private Obstacles() {}

    /// @param localQueue name of its LocalQueue
    /// @param local that queue, if there is one
    /// @param queue name of its ClusterQueue
    /// @param known whether that is there
    /// @param active whether workloads are taken from it
    /// @return why it is parked; `""` if it may be tried
    static String of(
            String localQueue,
            @Nullable Resource local,
            String queue,
            boolean known,
            boolean active) {
        if (local == null) {
            return "LocalQueue %s doesn't exist".formatted(localQueue);
        }
        if (Health.stopped(local)) {
            return "LocalQueue %s is inactive".formatted(localQueue);
        }
        if (!known) {
            return "ClusterQueue %s doesn't exist".formatted(queue);
        }
        return active ? "" : "ClusterQueue %s is inactive".formatted(queue);
    }

    /// @param workload one that is about to be tried
    /// @param labels labels of its namespace
    /// @param selector which namespaces its ClusterQueue takes
    /// @param rules whose words
    /// @return why it may not be tried, by rules that are not about quota
    static Optional<Refusal> refusal(
            Resource workload, Map<String, String> labels, JsonNode selector, Rules rules) {
        if (Workloads.checkIn(workload, "Retry") != null
                || Workloads.checkIn(workload, "Rejected") != null) {
            return Optional.of(new Refusal("The workload has failed admission checks", false));
        }
        if (!Specs.selects(selector, labels)) {
            return Optional.of(new Refusal(rules.namespaceMismatch(), true));
        }
        return workload.list("spec", "podSets").stream()
                .map(Obstacles::excess)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(text -> new Refusal(text, false));
    }

    private static String excess(JsonNode podSet) {
        var resource = PodRequests.aboveLimit(podSet.path("template").path("spec"));
        return resource.isEmpty()
                ? ""
                : ("resources validation failed: podSets[%s]: Invalid value: \"%s\": requests must"
                                + " not exceed its limits")
                        .formatted(Specs.text(podSet, "name"), resource);
    }
}
