package org.meshbook.cluster.embedded;

import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.store.Store;

/// Gives a new pod the priority of its class, or of the class that is the default.
final class PodPriority {
    /// Classes that every cluster has.
    private static final Map<String, Integer> OF_THE_SYSTEM =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    private static final String BY_DEFAULT = "PreemptLowerPriority";

    private final Store store;

    PodPriority(Store store) {
        this.store = store;
    }

    /// @param pod a new pod
    /// @return it, with its priority
    /// @throws ApiException if it names a class that does not exist
    Resource give(Resource pod) {
        var name = pod.text("spec", "priorityClassName");
        var system = OF_THE_SYSTEM.get(name);
        if (system != null) {
            return with(pod, name, system, BY_DEFAULT);
        }
        if (name.isEmpty()) {
            return byDefault()
                    .map(chosen -> with(pod, chosen))
                    .orElse(with(pod, "", 0, BY_DEFAULT));
        }
        return store.find(Kinds.PRIORITY_CLASS.key("", name))
                .map(chosen -> with(pod, chosen))
                .orElseThrow(
                        () ->
                                ApiException.forbidden(
                                        Kinds.POD,
                                        pod.name(),
                                        "no PriorityClass with name %s was found".formatted(name)));
    }

    private Optional<Resource> byDefault() {
        return store.list(Kinds.PRIORITY_CLASS, "").stream()
                .filter(c -> c.at("globalDefault").asBoolean(false))
                .findFirst();
    }

    private static Resource with(Resource pod, Resource chosen) {
        var policy = chosen.text("preemptionPolicy");
        return with(
                pod,
                chosen.name(),
                chosen.at("value").asInt(0),
                policy.isEmpty() ? BY_DEFAULT : policy);
    }

    private static Resource with(Resource pod, String name, int value, String policy) {
        return pod.with(
                json -> {
                    var spec = json.withObjectProperty("spec");
                    if (!name.isEmpty()) {
                        spec.put("priorityClassName", name);
                    }
                    spec.put("priority", value).put("preemptionPolicy", policy);
                });
    }
}
