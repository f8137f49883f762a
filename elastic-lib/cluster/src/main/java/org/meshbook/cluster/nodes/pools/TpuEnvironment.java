package org.meshbook.cluster.nodes.pools;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tells pods that ask for TPU chips where they stand in their slice and among the slices, and lets
/// them run on nodes with chips, as GKE's webhook does.
///
/// Variables that the manifest sets stay as they are.
public final class TpuEnvironment implements AdmissionHook {
    private static final String TPU = "google.com/tpu";
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final String JOB_SET = "jobset.sigs.k8s.io/";
    private static final String COORDINATOR_PORT = "8080";

    private final Supplier<Cluster> clusters;

    /// @param clusters gives the cluster, once it is there
    public TpuEnvironment(Supplier<Cluster> clusters) {
        this.clusters = clusters;
    }

    @Override
    public String name() {
        return "tpu-env.gke.io";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(Kinds.POD);
    }

    @Override
    public Resource mutate(Review review) {
        var pod = review.object();
        boolean wants = pod.list("spec", "containers").stream().anyMatch(TpuEnvironment::wants);
        if (review.before().isPresent() || !wants) {
            return pod;
        }
        var variables = variables(pod);
        return pod.with(
                json -> {
                    var spec = json.withObjectProperty("spec");
                    tolerate(spec);
                    for (var container : spec.path("containers")) {
                        if (wants(container)) {
                            add((ObjectNode) container, variables);
                        }
                    }
                });
    }

    private static boolean wants(JsonNode container) {
        var resources = container.path("resources");
        return resources.path("limits").has(TPU) || resources.path("requests").has(TPU);
    }

    private static void tolerate(ObjectNode spec) {
        var tolerations = spec.withArrayProperty("tolerations");
        for (var there : tolerations) {
            if (there.path("key").asString("").equals(TPU)) {
                return;
            }
        }
        tolerations
                .addObject()
                .put("key", TPU)
                .put("operator", "Exists")
                .put("effect", "NoSchedule");
    }

    private static void add(ObjectNode container, Map<String, String> variables) {
        var env = container.withArrayProperty("env");
        var there =
                env.valueStream().map(v -> v.path("name").asString("")).collect(Collectors.toSet());
        variables.forEach(
                (name, value) -> {
                    if (!there.contains(name)) {
                        env.addObject().put("name", name).put("value", value);
                    }
                });
    }

    private Map<String, String> variables(Resource pod) {
        var out = new LinkedHashMap<String, String>();
        var selector = pod.texts("spec", "nodeSelector");
        var topology = selector.getOrDefault("cloud.google.com/gke-tpu-topology", "");
        var accelerator = selector.getOrDefault("cloud.google.com/gke-tpu-accelerator", "");
        if (!topology.isEmpty()) {
            out.put("TPU_TOPOLOGY", topology);
            slice(accelerator, topology)
                    .ifPresent(s -> out.put("TPU_ACCELERATOR_TYPE", s.acceleratorType()));
        }
        var index = pod.annotations().getOrDefault(INDEX, "");
        var subdomain = pod.text("spec", "subdomain");
        if (index.isEmpty() || subdomain.isEmpty()) {
            return out;
        }
        out.put("TPU_WORKER_ID", index);
        var job = Owners.of(pod, Kinds.JOB).stream().findFirst();
        var found = job.flatMap(key -> clusters.get().find(key));
        int hosts = found.map(j -> j.at("spec", "completions").asInt(1)).orElse(1);
        var name = job.map(key -> key.name()).orElse("");
        out.put(
                "TPU_WORKER_HOSTNAMES",
                IntStream.range(0, hosts)
                        .mapToObj(i -> "%s-%d.%s".formatted(name, i, subdomain))
                        .collect(Collectors.joining(",")));
        slices(pod, subdomain, out);
        return out;
    }

    private static Optional<TpuSlice> slice(String accelerator, String topology) {
        try {
            return Optional.of(TpuSlice.of(accelerator, topology));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    private static void slices(Resource pod, String subdomain, Map<String, String> out) {
        var labels = pod.labels();
        var replicas = labels.getOrDefault(JOB_SET + "replicatedjob-replicas", "1");
        if (Integer.parseInt(replicas) < 2) {
            return;
        }
        out.put("MEGASCALE_NUM_SLICES", replicas);
        out.put("MEGASCALE_SLICE_ID", labels.getOrDefault(JOB_SET + "job-index", "0"));
        out.put(
                "MEGASCALE_COORDINATOR_ADDRESS",
                "%s-%s-0-0.%s:%s"
                        .formatted(
                                labels.getOrDefault(JOB_SET + "jobset-name", ""),
                                labels.getOrDefault(JOB_SET + "replicatedjob-name", ""),
                                subdomain,
                                COORDINATOR_PORT));
        out.put("MEGASCALE_PORT", COORDINATOR_PORT);
    }
}
