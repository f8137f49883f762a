package org.meshbook.cluster.jobs.batch;

import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import tools.jackson.databind.node.ObjectNode;

/// What a Job's status says.
final class JobStatus {
    private JobStatus() {}

    /// @return the Job with what is to be counted written down, before any finalizer goes
    static Resource noted(Resource job, PodTally pods) {
        return job.with(
                json -> {
                    var status = json.withObjectProperty("status");
                    uncounted(status, pods.newSucceeded(), pods.newFailed());
                    status.put("succeeded", pods.countedSucceeded());
                    status.put("failed", pods.countedFailed());
                    indexes(json, pods);
                });
    }

    /// @return the Job after its pods were counted
    static Resource counted(Resource job, PodTally pods, JobPlan plan, Instant now) {
        return job.with(
                json -> {
                    var status = json.withObjectProperty("status");
                    var spec = new JobSpec(job);
                    uncounted(status, Set.of(), Set.of());
                    number(status, "active", plan.over() ? 0 : pods.active().size());
                    number(
                            status,
                            "succeeded",
                            spec.indexed()
                                    ? pods.succeeded()
                                    : pods.countedSucceeded() + pods.newSucceeded().size());
                    number(status, "failed", pods.failed());
                    status.put("ready", plan.over() ? 0 : pods.ready());
                    status.put("terminating", pods.terminating());
                    indexes(json, pods);
                    suspension(json, spec, now);
                    end(json, plan, now);
                });
    }

    private static void uncounted(ObjectNode status, Set<String> good, Set<String> bad) {
        var uncounted = status.putObject("uncountedTerminatedPods");
        list(uncounted, "succeeded", good);
        list(uncounted, "failed", bad);
    }

    private static void list(ObjectNode node, String field, Collection<String> uids) {
        if (!uids.isEmpty()) {
            var list = node.putArray(field);
            uids.stream().sorted().forEach(list::add);
        }
    }

    private static void number(ObjectNode status, String field, int value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }

    private static void indexes(ObjectNode job, PodTally pods) {
        var spec = new JobSpec(new Resource(job));
        var status = job.withObjectProperty("status");
        if (spec.indexed() && !pods.succeededIndexes().isEmpty()) {
            status.put("completedIndexes", IndexSet.format(pods.succeededIndexes()));
        }
        if (spec.backoffLimitPerIndex().isPresent()) {
            status.put("failedIndexes", IndexSet.format(pods.failedIndexes()));
        }
    }

    private static void suspension(ObjectNode job, JobSpec spec, Instant now) {
        var status = job.withObjectProperty("status");
        var before = new Resource(job);
        if (spec.suspended()) {
            if (!before.is("Suspended")) {
                Conditions.put(job, "Suspended", true, "JobSuspended", "Job suspended", now);
            }
            status.remove("startTime");
        } else {
            if (before.is("Suspended")) {
                Conditions.put(job, "Suspended", false, "JobResumed", "Job resumed", now);
            }
            if (!status.has("startTime")) {
                status.put("startTime", Conditions.stamp(now));
            }
        }
    }

    private static void end(ObjectNode job, JobPlan plan, Instant now) {
        if (plan.target().isEmpty()) {
            return;
        }
        var why = plan.target().get();
        boolean good = why.equals(JobPlan.COMPLETE);
        var reason = good ? "CompletionsReached" : why;
        Conditions.put(
                job,
                good ? "SuccessCriteriaMet" : "FailureTarget",
                true,
                reason,
                plan.message(),
                now);
        if (plan.over()) {
            Conditions.put(job, good ? "Complete" : "Failed", true, reason, plan.message(), now);
            if (good) {
                job.withObjectProperty("status").put("completionTime", Conditions.stamp(now));
            }
        }
    }
}
