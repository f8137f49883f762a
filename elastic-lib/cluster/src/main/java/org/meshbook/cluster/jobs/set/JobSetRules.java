package org.meshbook.cluster.jobs.set;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JobSet's webhook: defaults when a set is made, what a set must be, what of it may change.
///
/// Defaults are filled in only when a set is made. So a second client-side apply of the same file
/// takes them away again, and is refused, as it is in a real cluster.
public final class JobSetRules implements AdmissionHook {
    private static final int LABEL = 63;
    private static final int POD_SUFFIX = 6;
    private static final Pattern DNS_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

    @Override
    public String name() {
        return "jobset.kb.io";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(Kinds.JOB_SET);
    }

    @Override
    public Resource mutate(Review review) {
        return review.before().isPresent()
                ? review.object()
                : review.object().with(JobSetRules::fill);
    }

    @Override
    public List<String> validate(Review review) {
        return review.before()
                .map(before -> changes(review.object(), before))
                .orElseGet(() -> faults(review.object()));
    }

    private static void fill(ObjectNode set) {
        var spec = set.withObjectProperty("spec");
        var success = spec.withObjectProperty("successPolicy");
        defaultText(success, "operator", "All");
        defaultText(spec.withObjectProperty("startupPolicy"), "startupPolicyOrder", "AnyOrder");
        var network = spec.withObjectProperty("network");
        for (var field : List.of("enableDNSHostnames", "publishNotReadyAddresses")) {
            if (!network.has(field)) {
                network.put(field, true);
            }
        }
        if (spec.path("failurePolicy") instanceof ObjectNode policy) {
            defaultText(policy, "restartStrategy", "Recreate");
            if (!policy.has("maxRestarts")) {
                policy.put("maxRestarts", 0);
            }
            int index = 0;
            for (var rule : policy.path("rules")) {
                defaultText((ObjectNode) rule, "name", "failurePolicyRule" + index++);
            }
        }
        for (var replicated : spec.path("replicatedJobs")) {
            var job = (ObjectNode) replicated;
            if (!job.has("replicas")) {
                job.put("replicas", 1);
            }
            var template = job.withObjectProperty("template").withObjectProperty("spec");
            defaultText(template, "completionMode", "Indexed");
            defaultText(
                    template.withObjectProperty("template").withObjectProperty("spec"),
                    "restartPolicy",
                    "OnFailure");
        }
    }

    private static void defaultText(ObjectNode node, String field, String value) {
        if (node.path(field).asString("").isEmpty()) {
            node.put(field, value);
        }
    }

    private static List<String> faults(Resource set) {
        var spec = new JobSetSpec(set);
        var faults = new ArrayList<String>();
        var names = new HashSet<String>();
        for (var replicated : spec.replicatedJobs()) {
            var name = JobSetSpec.nameOf(replicated);
            if (!names.add(name)) {
                faults.add(
                        "spec.replicatedJobs: Duplicate value: {\"name\":\"%s\"}".formatted(name));
            }
            faults.addAll(names(set, replicated));
            long pods =
                    (long) JobSetSpec.replicas(replicated)
                            * replicated.path("template").path("spec").path("parallelism").asInt(1);
            if (pods > Integer.MAX_VALUE) {
                faults.add(
                        "the product of replicas and parallelism must not exceed %d for replicatedJob '%s'"
                                .formatted(Integer.MAX_VALUE, name));
            }
        }
        faults.addAll(references(spec, names));
        if (spec.subdomain().length() > LABEL) {
            faults.add(".spec.network.subdomain is too long, must be less than 63 characters");
        }
        return faults;
    }

    private static List<String> names(Resource set, JsonNode replicated) {
        int replicas = Math.max(1, JobSetSpec.replicas(replicated));
        var job = "%s-%s-%d".formatted(set.name(), JobSetSpec.nameOf(replicated), replicas - 1);
        if (job.length() > LABEL) {
            return List.of(
                    "JobSet name is too long, job names generated for this JobSet will exceed 63"
                            + " characters");
        }
        if (!DNS_1035.matcher(job).matches()) {
            return List.of(
                    "a DNS-1035 label must consist of lower case alphanumeric characters or '-',"
                            + " start with an alphabetic character, and end with an alphanumeric"
                            + " character (e.g. 'my-name',  or 'abc-123', regex used for"
                            + " validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
        }
        var spec = replicated.path("template").path("spec");
        int pods = spec.path("completions").asInt(spec.path("parallelism").asInt(1));
        int length = job.length() + 1 + Integer.toString(Math.max(0, pods - 1)).length();
        return length + POD_SUFFIX > LABEL
                ? List.of(
                        "JobSet name is too long, pod names generated for this JobSet will exceed"
                                + " 63 characters")
                : List.of();
    }

    private static List<String> references(JobSetSpec spec, Set<String> names) {
        var faults = new ArrayList<String>();
        spec.successTargets().stream()
                .filter(target -> !names.contains(target))
                .map(
                        ("invalid replicatedJob name '%s' does not appear in"
                                        + " .spec.ReplicatedJobs")
                                ::formatted)
                .forEach(faults::add);
        for (var rule : spec.failureRules()) {
            JobSetSpec.texts(rule.path("targetReplicatedJobs")).stream()
                    .filter(target -> !names.contains(target))
                    .map(
                            ("invalid replicatedJob name '%s' in failure policy does not appear in"
                                            + " .spec.ReplicatedJobs")
                                    ::formatted)
                    .forEach(faults::add);
        }
        var coordinator = spec.set().text("spec", "coordinator", "replicatedJob");
        if (!coordinator.isEmpty() && !names.contains(coordinator)) {
            faults.add("coordinator replicatedJob %s does not exist".formatted(coordinator));
        }
        return faults;
    }

    /// What Kueue puts into templates may change while a set is held, nothing else of its jobs
    /// ever.
    private static List<String> changes(Resource set, Resource before) {
        boolean held = new JobSetSpec(set).suspended() || new JobSetSpec(before).suspended();
        var wanted = held ? without(set) : set;
        var had = held ? without(before) : before;
        return Stream.of("replicatedJobs", "managedBy")
                .filter(field -> !wanted.at("spec", field).equals(had.at("spec", field)))
                .map(
                        field ->
                                "spec.%s: Invalid value: %s: field is immutable"
                                        .formatted(field, set.at("spec", field)))
                .toList();
    }

    private static Resource without(Resource set) {
        return set.with(
                json -> {
                    for (var replicated : json.path("spec").path("replicatedJobs")) {
                        var pod =
                                ((ObjectNode) replicated)
                                        .withObjectProperty("template")
                                        .withObjectProperty("spec")
                                        .withObjectProperty("template");
                        var metadata = pod.withObjectProperty("metadata");
                        metadata.remove(List.of("labels", "annotations"));
                        pod.withObjectProperty("spec")
                                .remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
                    }
                });
    }
}
