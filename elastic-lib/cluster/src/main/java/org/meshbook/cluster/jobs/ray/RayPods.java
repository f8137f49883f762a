package org.meshbook.cluster.jobs.ray;

import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods, services and submitter jobs of Ray.
final class RayPods {
    static final String CLUSTER = "ray.io/cluster";
    static final String TYPE = "ray.io/node-type";
    static final String GROUP = "ray.io/group";

    private static final String START =
            "command -v ray >/dev/null && exec ray start --block --node-ip-address=$(POD_IP) %s;"
                    + " exec sleep 1000000000";

    private RayPods() {}

    static Resource head(Resource cluster) {
        var name = cluster.name() + "-head";
        var pod =
                pod(
                        cluster,
                        cluster.at("spec", "headGroupSpec", "template"),
                        name,
                        "head",
                        "headgroup",
                        "--head --dashboard-host=$(POD_IP)");
        return pod.with(
                json ->
                        json.withObjectProperty("spec")
                                .put("hostname", "head")
                                .put("subdomain", name + "-svc"));
    }

    static Resource worker(Resource cluster, JsonNode group) {
        var name = group.path("groupName").asString("");
        return pod(
                cluster,
                group.path("template"),
                "%s-%s-worker".formatted(cluster.name(), name),
                "worker",
                name,
                "--address=head.%s-head-svc:6379".formatted(cluster.name()));
    }

    private static Resource pod(
            Resource cluster,
            JsonNode template,
            String base,
            String type,
            String group,
            String start) {
        return Resource.named(Kinds.POD, cluster.namespace(), "")
                .with(
                        json -> {
                            var metadata = json.withObjectProperty("metadata");
                            metadata.remove("name");
                            metadata.put("generateName", base + "-");
                            for (var field : new String[] {"labels", "annotations"}) {
                                var map = metadata.withObjectProperty(field);
                                template.path("metadata")
                                        .path(field)
                                        .properties()
                                        .forEach(e -> map.set(e.getKey(), e.getValue()));
                            }
                            metadata.withObjectProperty("labels")
                                    .put(CLUSTER, cluster.name())
                                    .put(TYPE, type)
                                    .put(GROUP, group);
                            Owners.put(json, cluster);
                            var spec = (ObjectNode) template.path("spec").deepCopy();
                            json.set("spec", spec);
                            spec.put("restartPolicy", "Never");
                            var container = (ObjectNode) spec.path("containers").path(0);
                            container.putArray("command").add("/bin/sh").add("-c");
                            container.putArray("args").add(START.formatted(start));
                            container
                                    .withArrayProperty("env")
                                    .addObject()
                                    .put("name", "POD_IP")
                                    .putObject("valueFrom")
                                    .putObject("fieldRef")
                                    .put("fieldPath", "status.podIP");
                        });
    }

    /// @param owner the RayCluster or RayJob
    /// @param cluster name of the RayCluster whose head it leads to
    static Resource headService(Resource owner, String cluster) {
        return Resource.named(Kinds.SERVICE, owner.namespace(), owner.name() + "-head-svc")
                .with(
                        json -> {
                            Owners.put(json, owner);
                            var spec = json.putObject("spec").put("clusterIP", "None");
                            spec.putObject("selector").put(CLUSTER, cluster).put(TYPE, "head");
                            port(spec, "dashboard", 8265);
                            port(spec, "gcs-server", 6379);
                            port(spec, "client", 10001);
                        });
    }

    private static void port(ObjectNode spec, String name, int port) {
        spec.withArrayProperty("ports").addObject().put("name", name).put("port", port);
    }

    static Resource cluster(Resource job, String name) {
        return Resource.named(Kinds.RAY_CLUSTER, job.namespace(), name)
                .with(
                        json -> {
                            Owners.put(json, job);
                            json.withObjectProperty("metadata")
                                    .withObjectProperty("labels")
                                    .put("ray.io/originated-from-cr-name", job.name())
                                    .put("ray.io/originated-from-crd", "RayJob");
                            json.set("spec", job.at("spec", "rayClusterSpec").deepCopy());
                        });
    }

    private static final String ENTRY =
            """
            %s
            code=$?
            if [ $code = 0 ]; then echo "Job '%2$s' succeeded"; else echo "Job '%2$s' failed"; fi
            exit $code
            """;

    /// The Job that runs the entrypoint; it is called like the RayJob.
    static Resource submitter(Resource job, String cluster, String id) {
        var head = job.at("spec", "rayClusterSpec", "headGroupSpec", "template", "spec");
        var given = job.at("spec", "submitterPodTemplate");
        return Resource.named(Kinds.JOB, job.namespace(), job.name())
                .with(
                        json -> {
                            Owners.put(json, job);
                            json.withObjectProperty("metadata")
                                    .withObjectProperty("labels")
                                    .put("ray.io/originated-from-cr-name", job.name());
                            var spec = json.putObject("spec");
                            spec.put(
                                    "backoffLimit",
                                    job.at("spec", "submitterConfig", "backoffLimit").asInt(2));
                            var template = spec.putObject("template");
                            if (given.isObject()) {
                                template.setAll((ObjectNode) given.deepCopy());
                            }
                            var pod = template.withObjectProperty("spec");
                            pod.put("restartPolicy", "Never");
                            if (head.has("volumes")) {
                                pod.set("volumes", head.path("volumes").deepCopy());
                            }
                            entry(pod, head.path("containers").path(0), job, cluster, id);
                        });
    }

    private static void entry(
            ObjectNode pod, JsonNode head, Resource job, String cluster, String id) {
        var containers = pod.withArrayProperty("containers");
        var container =
                containers.isEmpty()
                        ? containers.addObject().put("name", "ray-job-submitter")
                        : (ObjectNode) containers.path(0);
        if (!container.has("image")) {
            container.put("image", head.path("image").asString(""));
        }
        if (!container.has("resources")) {
            var resources = container.putObject("resources");
            resources.putObject("requests").put("cpu", "500m").put("memory", "200Mi");
            resources.putObject("limits").put("cpu", "1").put("memory", "1Gi");
        }
        container.putArray("command").add("/bin/sh").add("-c");
        var entrypoint = job.text("spec", "entrypoint");
        container.putArray("args").add(ENTRY.formatted(entrypoint, id));
        if (head.has("volumeMounts")) {
            container.set("volumeMounts", head.path("volumeMounts").deepCopy());
        }
        var env = container.withArrayProperty("env");
        head.path("env").forEach(e -> env.add(e.deepCopy()));
        env.addObject().put("name", "RAY_JOB_SUBMISSION_ID").put("value", id);
        env.addObject()
                .put("name", "RAY_ADDRESS")
                .put("value", "head.%s-head-svc:6379".formatted(cluster));
    }
}
