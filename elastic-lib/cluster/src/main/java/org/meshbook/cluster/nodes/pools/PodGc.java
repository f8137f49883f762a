package org.meshbook.cluster.nodes.pools;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;

/// Fails and removes the pods of nodes that are gone.
///
/// The real one waits for up to a minute whether the node returns; here its pods go at once.
public final class PodGc implements Controller {
    private final Cluster cluster;
    private final InstantSource clock;

    /// @param cluster where pods and nodes are
    /// @param clock wall time
    public PodGc(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "pod-garbage-collector";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.POD, Kinds.NODE);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        boolean gone = event.type() == WatchEvent.Type.DELETED;
        if (object.key().kind().equals(Kinds.NODE)) {
            return gone ? List.of(object.key()) : List.of();
        }
        var node = object.text("spec", "nodeName");
        return gone || node.isEmpty() ? List.of() : List.of(Kinds.NODE.key("", node));
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey node) {
        if (cluster.find(node).isEmpty()) {
            cluster.list(Kinds.POD, "").stream()
                    .filter(pod -> pod.text("spec", "nodeName").equals(node.name()))
                    .map(pod -> pod.key())
                    .forEach(this::fail);
        }
        return Optional.empty();
    }

    private void fail(ResourceKey key) {
        try {
            var pod =
                    cluster.find(key)
                            .orElseThrow(() -> ApiException.notFound(Kinds.POD, key.name()));
            var phase = pod.text("status", "phase");
            if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                cluster.updateStatus(
                        pod.with(
                                json -> {
                                    json.withObjectProperty("status").put("phase", "Failed");
                                    Conditions.put(
                                            json,
                                            "DisruptionTarget",
                                            true,
                                            "DeletionByPodGC",
                                            "PodGC: node no longer exists",
                                            clock.instant());
                                }));
            }
            if (pod.at("metadata", "deletionGracePeriodSeconds").asInt(1) > 0) {
                cluster.remove(key);
            }
        } catch (ApiException refused) {
            if (!refused.missing()) {
                throw refused;
            }
        }
    }
}
