package org.meshbook.cluster.jobs.set;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Owners;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Jobs as a JobSet makes them from its templates.
final class SetJobs {
    private SetJobs() {}

    /// @param set the JobSet
    /// @param name one of its jobs' names
    static Resource of(Resource set, String name) {
        var spec = new JobSetSpec(set);
        int before = 0;
        for (var replicated : spec.replicatedJobs()) {
            int index = spec.jobNames(replicated).indexOf(name);
            if (index >= 0) {
                return of(spec, replicated, name, index, before + index);
            }
            before += JobSetSpec.replicas(replicated);
        }
        throw new IllegalArgumentException(
                "no job \"%s\" in JobSet \"%s\"".formatted(name, set.name()));
    }

    private static Resource of(
            JobSetSpec spec, JsonNode replicated, String name, int index, int global) {
        var set = spec.set();
        var template = replicated.path("template");
        var labels = labels(spec, replicated, name, index, global);
        return Resource.named(Kinds.JOB, set.namespace(), name)
                .with(
                        job -> {
                            mark(job, template.path("metadata"), labels);
                            Owners.put(job, set);
                            var jobSpec = (ObjectNode) template.path("spec").deepCopy();
                            job.set("spec", jobSpec);
                            jobSpec.put("suspend", spec.suspended());
                            var pod = jobSpec.withObjectProperty("template");
                            mark(pod, pod.path("metadata"), labels);
                            spec.exclusiveTopology(replicated)
                                    .ifPresent(
                                            key ->
                                                    pod.withObjectProperty("metadata")
                                                            .withObjectProperty("annotations")
                                                            .put(Keys.EXCLUSIVE, key));
                            if (spec.dns()) {
                                pod.withObjectProperty("spec").put("subdomain", spec.subdomain());
                            }
                        });
    }

    private static Map<String, String> labels(
            JobSetSpec spec, JsonNode replicated, String name, int index, int global) {
        var set = spec.set();
        var labels = new LinkedHashMap<String, String>();
        labels.put(Keys.JOB_SET, set.name());
        labels.put(Keys.JOB_SET_UID, set.uid());
        labels.put(Keys.REPLICATED_JOB, JobSetSpec.nameOf(replicated));
        labels.put(Keys.REPLICAS, Integer.toString(JobSetSpec.replicas(replicated)));
        labels.put(Keys.GLOBAL_REPLICAS, Integer.toString(spec.jobs()));
        labels.put(Keys.JOB_INDEX, Integer.toString(index));
        labels.put(Keys.GLOBAL_INDEX, Integer.toString(global));
        labels.put(Keys.JOB_KEY, Keys.jobKey(set.namespace(), name));
        labels.put(Keys.ATTEMPT, Integer.toString(set.at("status", "restarts").asInt(0)));
        return labels;
    }

    /// What marks a job and its pods, as labels and as annotations.
    private static void mark(ObjectNode object, JsonNode template, Map<String, String> marks) {
        var metadata = object.withObjectProperty("metadata");
        for (var field : new String[] {"labels", "annotations"}) {
            var map = metadata.withObjectProperty(field);
            template.path(field).properties().forEach(e -> map.set(e.getKey(), e.getValue()));
            marks.forEach(map::put);
        }
    }

    /// @param job a held job
    /// @param set its set, whose templates may have been changed while it was held
    /// @return the job, to run with what was put into its template meanwhile
    static Resource resumed(Resource job, Resource set) {
        var template =
                new JobSetSpec(set)
                        .replicatedJobs().stream()
                                .filter(r -> ChildJobs.of(job, JobSetSpec.nameOf(r)))
                                .map(r -> r.path("template").path("spec").path("template"))
                                .findFirst();
        return job.with(
                json -> {
                    var spec = json.withObjectProperty("spec");
                    spec.put("suspend", false);
                    template.ifPresent(t -> inject(spec.withObjectProperty("template"), t));
                });
    }

    private static void inject(ObjectNode pod, JsonNode template) {
        for (var field : new String[] {"labels", "annotations"}) {
            var map = pod.withObjectProperty("metadata").withObjectProperty(field);
            template.path("metadata")
                    .path(field)
                    .properties()
                    .forEach(e -> map.set(e.getKey(), e.getValue()));
        }
        var spec = pod.withObjectProperty("spec");
        for (var field : new String[] {"nodeSelector", "tolerations", "schedulingGates"}) {
            var value = Optional.ofNullable(template.path("spec").get(field));
            value.ifPresentOrElse(v -> spec.set(field, v.deepCopy()), () -> spec.remove(field));
        }
    }

    /// @param set the JobSet
    /// @return the service under whose name its pods find each other
    static Resource service(Resource set) {
        var spec = new JobSetSpec(set);
        return Resource.named(Kinds.SERVICE, set.namespace(), spec.subdomain())
                .with(
                        json -> {
                            Owners.put(json, set);
                            var service = json.putObject("spec").put("clusterIP", "None");
                            service.put(
                                    "publishNotReadyAddresses",
                                    set.at("spec", "network", "publishNotReadyAddresses")
                                            .asBoolean(true));
                            service.putObject("selector").put(Keys.JOB_SET, set.name());
                        });
    }
}
