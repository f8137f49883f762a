package org.meshbook.cluster.kueue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.queue.Rules;

/// What Kueue does to a job of one kind before it is stored: suspends it if it names a queue, and
/// refuses changes that a queued job may not see.
final class JobHook implements AdmissionHook {
    private final JobKind jobs;
    private final Rules rules;
    private final Function<ResourceKey, Optional<Resource>> objects;

    JobHook(JobKind jobs, Rules rules, Function<ResourceKey, Optional<Resource>> objects) {
        this.jobs = jobs;
        this.rules = rules;
        this.objects = objects;
    }

    @Override
    public String name() {
        return jobs.kind().kind().toLowerCase(Locale.ROOT) + ".kb.io";
    }

    @Override
    public Set<ResourceKind> kinds() {
        return Set.of(jobs.kind());
    }

    @Override
    public Resource mutate(Review review) {
        var job = review.object();
        if (review.before().isPresent()) {
            return job;
        }
        boolean unnamed = Queues.name(job, rules).isEmpty() && !jobs.stopsByDeletion();
        var inDefault = unnamed ? defaulted(job) : job;
        if (!Queues.manages(inDefault, rules) || Queues.hasManagedOwner(objects, job, rules)) {
            return job;
        }
        return inDefault.with(jobs::hold);
    }

    /// A LocalQueue called default takes the jobs of its namespace that name none; not pods.
    private Resource defaulted(Resource job) {
        var queue = Kinds.LOCAL_QUEUE.key(job.namespace(), "default");
        return objects.apply(queue).isEmpty()
                ? job
                : job.with(
                        json ->
                                json.withObjectProperty("metadata")
                                        .withObjectProperty("labels")
                                        .put(Marks.QUEUE_NAME, "default"));
    }

    @Override
    public List<String> validate(Review review) {
        var job = review.object();
        var wrong = new ArrayList<String>();
        if (Queues.manages(job, rules) && jobs.kind().equals(Kinds.RAY_JOB)) {
            rayJob(job, wrong);
        }
        var limit = job.labels().getOrDefault(Marks.MAX_EXEC_TIME, "");
        if (!limit.isEmpty() && !limit.matches("[1-9][0-9]*")) {
            wrong.add(
                    "metadata.labels[%s]: Invalid value: %s: should be greater than 0"
                            .formatted(Marks.MAX_EXEC_TIME, limit));
        }
        review.before().ifPresent(before -> changes(job, before, wrong));
        return wrong;
    }

    private void rayJob(Resource job, List<String> wrong) {
        if (!job.at("spec", "shutdownAfterJobFinishes").asBoolean(false)) {
            wrong.add(
                    "spec.shutdownAfterJobFinishes: Invalid value: false: a kueue managed job"
                            + " should delete the cluster after finishing");
        }
        if (!job.at("spec", "clusterSelector").isEmpty()) {
            wrong.add(
                    "spec.clusterSelector: Invalid value: %s: a kueue managed job should not use an"
                                    .formatted(job.at("spec", "clusterSelector"))
                            + " existing cluster");
        }
        boolean elastic =
                rules.elasticSlices()
                        && job.annotations().getOrDefault(Marks.ELASTIC, "").equals("true");
        if (job.at("spec", "rayClusterSpec", "enableInTreeAutoscaling").asBoolean(false)
                && !elastic) {
            wrong.add(
                    "spec.rayClusterSpec.enableInTreeAutoscaling: Invalid value: true: a kueue"
                            + " managed job should only use autoscaling when workload slicing is"
                            + " enabled");
        }
    }

    private void changes(Resource job, Resource before, List<String> wrong) {
        boolean suspended = jobs.suspended(before);
        if (!suspended && !jobs.suspended(job)) {
            immutable(job, before, Marks.QUEUE_NAME, wrong);
        }
        var priority = Marks.PRIORITY_CLASS;
        var old = before.labels().getOrDefault(priority, "");
        var now = job.labels().getOrDefault(priority, "");
        boolean managed = Queues.manages(job, rules);
        if (!managed || suspended || old.equals(now)) {
            return;
        }
        if (!rules.priorityClassMutable() || old.isEmpty() || now.isEmpty()) {
            immutable(job, before, priority, wrong);
        }
    }

    private static void immutable(Resource job, Resource before, String label, List<String> wrong) {
        var now = job.labels().getOrDefault(label, "");
        if (!now.equals(before.labels().getOrDefault(label, ""))) {
            wrong.add(
                    "metadata.labels[%s]: Invalid value: \"%s\": field is immutable"
                            .formatted(label, now));
        }
    }
}
