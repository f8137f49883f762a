package org.meshbook.cluster.kueue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// RayJobs and RayClusters.
final class RayKinds {
    private RayKinds() {}

    /// The pods of a Ray cluster.
    ///
    /// @param cluster a `RayCluster`'s spec
    /// @param sidecar whether the autoscaler beside the head counts
    private static List<JobKind.Pods> pods(JsonNode cluster, boolean sidecar) {
        var pods = new ArrayList<JobKind.Pods>();
        var head = cluster.path("headGroupSpec").path("template");
        boolean scaled = sidecar && cluster.path("enableInTreeAutoscaling").asBoolean(false);
        pods.add(
                new JobKind.Pods(
                        "head", 1, 1, scaled ? with(head, "autoscaler", "500m", "512Mi") : head));
        for (var group : cluster.path("workerGroupSpecs").values()) {
            int count =
                    group.path("replicas").asInt(1)
                            * Math.max(1, group.path("numOfHosts").asInt(1));
            pods.add(
                    new JobKind.Pods(
                            Specs.text(group, "groupName"), count, count, group.path("template")));
        }
        return pods;
    }

    private static JsonNode with(JsonNode template, String sidecar, String cpu, String memory) {
        var copy = (ObjectNode) template.deepCopy();
        var container = copy.withObjectProperty("spec").withArrayProperty("containers").addObject();
        container.put("name", sidecar);
        container
                .withObjectProperty("resources")
                .putObject("requests")
                .put("cpu", cpu)
                .put("memory", memory);
        return copy;
    }

    private static Optional<ObjectNode> template(ObjectNode cluster, String podSet) {
        if (podSet.equals("head")) {
            return Optional.of(
                    cluster.withObjectProperty("headGroupSpec").withObjectProperty("template"));
        }
        for (var group : cluster.path("workerGroupSpecs")) {
            if (Specs.text(group, "groupName").equals(podSet)) {
                return Optional.of(((ObjectNode) group).withObjectProperty("template"));
            }
        }
        return Optional.empty();
    }

    private static boolean anyPods(Cluster cluster, Resource owner) {
        return !cluster.ownedBy(owner, Kinds.POD).isEmpty();
    }

    /// RayClusters.
    record Clusters(boolean sidecars) implements JobKind {
        @Override
        public ResourceKind kind() {
            return Kinds.RAY_CLUSTER;
        }

        @Override
        public Set<ResourceKind> children() {
            return Set.of(Kinds.POD);
        }

        @Override
        public List<Pods> pods(Resource job) {
            return RayKinds.pods(job.at("spec"), sidecars);
        }

        @Override
        public Optional<ObjectNode> template(ObjectNode job, String podSet) {
            return RayKinds.template(job.withObjectProperty("spec"), podSet);
        }

        @Override
        public Optional<End> end(Resource job) {
            return Optional.empty();
        }

        @Override
        public boolean active(Cluster cluster, Resource job) {
            return anyPods(cluster, job);
        }

        @Override
        public boolean ready(Cluster cluster, Resource job) {
            return job.text("status", "state").equals("ready");
        }

        @Override
        public boolean elastic() {
            return true;
        }
    }

    /// Pods by group, as they are now in the cluster of a job that runs: who scales a RayJob scales
    /// its RayCluster.
    private static void noteSizes(ObjectNode job, Optional<Resource> ray) {
        var annotations = job.withObjectProperty("metadata").withObjectProperty("annotations");
        annotations.remove(List.of(Marks.RAY_GENERATION, Marks.RAY_SIZES));
        if (ray.isPresent()) {
            var sizes = JsonNodeFactory.instance.arrayNode();
            for (var pods : pods(ray.get().at("spec"), false)) {
                sizes.addObject().put("name", pods.name()).put("count", pods.count());
            }
            annotations.put(Marks.RAY_GENERATION, Long.toString(ray.get().generation()));
            annotations.put(Marks.RAY_SIZES, sizes.toString());
        }
        if (annotations.isEmpty()) {
            job.withObjectProperty("metadata").remove("annotations");
        }
    }

    /// Only a job that may grow while it runs is counted as its cluster is now.
    private static JobKind.Pods sized(JobKind.Pods pods, Resource job, boolean slices) {
        var annotations = job.annotations();
        boolean elastic = slices && annotations.getOrDefault(Marks.ELASTIC, "").equals("true");
        var noted = elastic ? annotations.getOrDefault(Marks.RAY_SIZES, "") : "";
        if (noted.isEmpty()) {
            return pods;
        }
        for (var size : JsonMapper.shared().readTree(noted)) {
            if (Specs.text(size, "name").equals(pods.name())) {
                int count = size.path("count").asInt(pods.count());
                return new JobKind.Pods(pods.name(), count, count, pods.template());
            }
        }
        return pods;
    }

    /// RayJobs.
    record Jobs(boolean sidecars, boolean slices) implements JobKind {
        private static final JsonNode SUBMITTER = submitter();

        private static JsonNode submitter() {
            var template = JsonNodeFactory.instance.objectNode();
            var container = template.putObject("spec").putArray("containers").addObject();
            container.put("name", "ray-job-submitter");
            container
                    .putObject("resources")
                    .putObject("requests")
                    .put("cpu", "500m")
                    .put("memory", "200Mi");
            return template;
        }

        @Override
        public ResourceKind kind() {
            return Kinds.RAY_JOB;
        }

        @Override
        public Set<ResourceKind> children() {
            return Set.of(Kinds.RAY_CLUSTER);
        }

        @Override
        public void note(ObjectNode job, Cluster cluster) {
            var object = new Resource(job);
            noteSizes(job, suspended(object) ? Optional.empty() : cluster.find(ray(object)));
        }

        private static ResourceKey ray(Resource job) {
            return Kinds.RAY_CLUSTER.key(job.namespace(), job.text("status", "rayClusterName"));
        }

        @Override
        public List<Pods> pods(Resource job) {
            var pods = new ArrayList<Pods>();
            RayKinds.pods(job.at("spec", "rayClusterSpec"), sidecars)
                    .forEach(p -> pods.add(sized(p, job, slices)));
            var mode = job.text("spec", "submissionMode");
            var own = job.at("spec", "submitterPodTemplate");
            if (mode.isEmpty() || mode.equals("K8sJobMode")) {
                pods.add(new Pods("submitter", 1, 1, own.isMissingNode() ? SUBMITTER : own));
            } else if (mode.equals("SidecarMode") && sidecars) {
                var head = pods.getFirst();
                pods.set(
                        0,
                        new Pods(
                                "head",
                                1,
                                1,
                                with(head.template(), "ray-job-submitter", "500m", "200Mi")));
            }
            return pods;
        }

        @Override
        public Optional<ObjectNode> template(ObjectNode job, String podSet) {
            var spec = job.withObjectProperty("spec");
            if (podSet.equals("submitter")) {
                return Optional.ofNullable((ObjectNode) spec.get("submitterPodTemplate"));
            }
            return RayKinds.template(spec.withObjectProperty("rayClusterSpec"), podSet);
        }

        @Override
        public Optional<End> end(Resource job) {
            var deployment = job.text("status", "jobDeploymentStatus");
            if (!List.of("Complete", "Failed", "ValidationFailed").contains(deployment)) {
                return Optional.empty();
            }
            boolean good = job.text("status", "jobStatus").equals("SUCCEEDED");
            return Optional.of(new End(good, job.text("status", "message")));
        }

        @Override
        public boolean active(Cluster cluster, Resource job) {
            var deployment = job.text("status", "jobDeploymentStatus");
            return !List.of("", "New", "Suspended").contains(deployment);
        }

        @Override
        public boolean ready(Cluster cluster, Resource job) {
            return cluster.find(ray(job))
                    .filter(ray -> ray.text("status", "state").equals("ready"))
                    .isPresent();
        }

        @Override
        public boolean elastic() {
            return true;
        }
    }
}
