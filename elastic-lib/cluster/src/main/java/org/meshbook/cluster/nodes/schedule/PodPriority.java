package org.meshbook.cluster.nodes.schedule;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;

/// Gives each new pod the number of its priority class, as the API server's Priority plugin does.
public final class PodPriority implements AdmissionHook {
    private final Supplier<Cluster> clusters;

    /// @param clusters gives the cluster, once it is there
    public PodPriority(Supplier<Cluster> clusters) {
        this.clusters = clusters;
    }

    @Override
    public String name() {
        return "priority";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(Kinds.POD);
    }

    @Override
    public Resource mutate(Review review) {
        var pod = review.object();
        if (review.before().isPresent()) {
            return pod;
        }
        var name = pod.text("spec", "priorityClassName");
        var found = name.isEmpty() ? byDefault() : clusters.get().find(key(name));
        if (found.isEmpty() && !name.isEmpty()) {
            throw ApiException.forbidden(
                    Kinds.POD,
                    pod.name(),
                    "no PriorityClass with name %s was found".formatted(name));
        }
        return pod.with(
                json -> {
                    var spec = json.withObjectProperty("spec");
                    spec.put("priority", found.map(c -> c.at("value").asInt(0)).orElse(0));
                    found.map(Resource::name).ifPresent(n -> spec.put("priorityClassName", n));
                    spec.put(
                            "preemptionPolicy",
                            found.map(c -> c.text("preemptionPolicy"))
                                    .filter(p -> !p.isEmpty())
                                    .orElse("PreemptLowerPriority"));
                });
    }

    private static ResourceKey key(String name) {
        return Kinds.PRIORITY_CLASS.key("", name);
    }

    private Optional<Resource> byDefault() {
        return clusters.get().list(Kinds.PRIORITY_CLASS, "").stream()
                .filter(c -> c.at("globalDefault").asBoolean(false))
                .min(Comparator.comparingInt(c -> c.at("value").asInt(0)));
    }
}
