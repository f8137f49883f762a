package org.meshbook.cluster.jobs.ray;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;

/// Makes the head and the workers of RayClusters.
///
/// A pod that ended is replaced. A group with several hosts is replaced as a whole: one host less
/// is a slice less.
public final class RayClusterController implements Controller {
    private final Cluster cluster;
    private final InstantSource clock;

    /// @param cluster where RayClusters are
    /// @param clock wall time
    public RayClusterController(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "raycluster";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.RAY_CLUSTER, Kinds.POD);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        return object.key().kind().equals(Kinds.POD)
                ? Owners.of(object, Kinds.RAY_CLUSTER)
                : List.of(object.key());
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty() || found.get().deleting()) {
            return Optional.empty();
        }
        var ray = found.get();
        var pods = cluster.ownedBy(ray, Kinds.POD);
        if (ray.at("spec", "suspend").asBoolean(false)) {
            pods.forEach(this::delete);
            tell(ray, pods, pods.isEmpty() ? "suspended" : "");
            return Optional.empty();
        }
        pods.stream().filter(RayClusterController::over).forEach(this::delete);
        var service = RayPods.headService(ray, ray.name());
        if (cluster.find(service.key()).isEmpty()) {
            cluster.create(service, WriteOptions.PLAIN);
        }
        if (group(pods, "headgroup").isEmpty()) {
            cluster.create(RayPods.head(ray), WriteOptions.PLAIN);
        }
        for (var spec : ray.list("spec", "workerGroupSpecs")) {
            scale(ray, spec, pods);
        }
        tell(ray, pods, ready(ray, pods) ? "ready" : "");
        return Optional.empty();
    }

    private static boolean over(Resource pod) {
        var phase = pod.text("status", "phase");
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    private static List<Resource> group(List<Resource> pods, String name) {
        return pods.stream()
                .filter(p -> name.equals(p.labels().get(RayPods.GROUP)))
                .filter(p -> !over(p) && !p.deleting())
                .toList();
    }

    private static int hosts(JsonNode group) {
        return group.path("replicas").asInt(group.path("minReplicas").asInt(0))
                * group.path("numOfHosts").asInt(1);
    }

    private void scale(Resource ray, JsonNode spec, List<Resource> pods) {
        var alive = group(pods, spec.path("groupName").asString(""));
        int several = spec.path("numOfHosts").asInt(1);
        int broken = alive.size() % several;
        alive.subList(alive.size() - broken, alive.size()).forEach(this::delete);
        int kept = alive.size() - broken;
        for (int i = kept; i < hosts(spec); i++) {
            cluster.create(RayPods.worker(ray, spec), WriteOptions.PLAIN);
        }
        if (kept > hosts(spec)) {
            alive.subList(hosts(spec), kept).forEach(this::delete);
        }
    }

    private void delete(Resource pod) {
        try {
            if (!pod.deleting()) {
                cluster.delete(pod.key(), Propagation.BACKGROUND);
            }
        } catch (ApiException refused) {
            if (!refused.missing()) {
                throw refused;
            }
        }
    }

    private static boolean ready(Resource ray, List<Resource> pods) {
        long ready = pods.stream().filter(p -> p.is("Ready") && !p.deleting()).count();
        return ready >= 1 + workers(ray);
    }

    private static int workers(Resource ray) {
        return ray.list("spec", "workerGroupSpecs").stream()
                .mapToInt(RayClusterController::hosts)
                .sum();
    }

    private void tell(Resource ray, List<Resource> pods, String state) {
        var head = group(pods, "headgroup").stream().filter(p -> p.is("Ready")).findFirst();
        int available =
                (int)
                        pods.stream()
                                .filter(p -> "worker".equals(p.labels().get(RayPods.TYPE)))
                                .filter(p -> p.is("Ready") && !p.deleting())
                                .count();
        var told =
                ray.with(
                        json -> {
                            var status = json.withObjectProperty("status");
                            if (state.isEmpty()) {
                                status.remove("state");
                            } else {
                                status.put("state", state);
                            }
                            status.put("desiredWorkerReplicas", workers(ray));
                            status.put("availableWorkerReplicas", available);
                            status.put("readyWorkerReplicas", available);
                            var place = status.putObject("head");
                            head.ifPresent(
                                    p ->
                                            place.put("podIP", p.text("status", "podIP"))
                                                    .put("podName", p.name())
                                                    .put("serviceName", ray.name() + "-head-svc"));
                            Conditions.put(
                                    json,
                                    "HeadPodReady",
                                    head.isPresent(),
                                    head.isPresent() ? "HeadPodRunningAndReady" : "HeadPodNotReady",
                                    "",
                                    clock.instant());
                        });
        if (!told.json().equals(ray.json())) {
            cluster.updateStatus(told);
        }
    }
}
