package org.meshbook.cluster.jobs.set;

import java.time.Instant;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.jobs.set.JobSetPlan.Verdict;
import tools.jackson.databind.node.ObjectNode;

/// What a JobSet's status says.
final class JobSetStatus {
    private JobSetStatus() {}

    static Resource of(Resource set, ChildJobs jobs, JobSetPlan plan, Instant now) {
        return set.with(
                json -> {
                    replicas(json, set, jobs);
                    switch (plan.verdict()) {
                        case Verdict.GoOn _ -> goOn(json, set, plan, now);
                        case Verdict.Completed _ ->
                                end(
                                        json,
                                        "Completed",
                                        "AllJobsCompleted",
                                        "jobset completed successfully",
                                        now);
                        case Verdict.Failed(var reason, var message) ->
                                end(json, "Failed", reason, message, now);
                        case Verdict.Restart(var counts, _, _) -> restart(json, counts);
                    }
                });
    }

    private static void replicas(ObjectNode json, Resource set, ChildJobs jobs) {
        var status = json.withObjectProperty("status");
        if (!status.has("restarts")) {
            status.put("restarts", 0);
        }
        var list = status.putArray("replicatedJobsStatus");
        for (var replicated : new JobSetSpec(set).replicatedJobs()) {
            var name = JobSetSpec.nameOf(replicated);
            var tally = jobs.tally(name);
            list.addObject()
                    .put("name", name)
                    .put("ready", tally.ready())
                    .put("succeeded", tally.succeeded())
                    .put("failed", tally.failed())
                    .put("active", tally.active())
                    .put("suspended", tally.suspended());
        }
    }

    private static void goOn(ObjectNode json, Resource set, JobSetPlan plan, Instant now) {
        if (new JobSetSpec(set).suspended()) {
            Conditions.put(json, "Suspended", true, "SuspendedJobs", "jobset is suspended", now);
        } else if (set.is("Suspended")) {
            Conditions.put(json, "Suspended", false, "ResumeJobs", "jobset is resumed", now);
        }
        JobSetPlan.startupDone(set, plan)
                .ifPresent(
                        done -> {
                            if (done) {
                                Conditions.put(
                                        json,
                                        "StartupPolicyCompleted",
                                        true,
                                        "StartupPolicyCompleted",
                                        "all replicated jobs have started",
                                        now);
                            }
                            if (!done || set.condition("StartupPolicyInProgress").isPresent()) {
                                Conditions.put(
                                        json,
                                        "StartupPolicyInProgress",
                                        !done,
                                        done ? "StartupPolicyCompleted" : "StartupPolicyInProgress",
                                        done
                                                ? "all replicated jobs have started"
                                                : "startup policy in order starting",
                                        now);
                            }
                        });
    }

    private static void end(
            ObjectNode json, String state, String reason, String message, Instant now) {
        Conditions.put(json, state, true, reason, message, now);
        json.withObjectProperty("status").put("terminalState", state);
    }

    private static void restart(ObjectNode json, boolean counts) {
        var status = json.withObjectProperty("status");
        status.put("restarts", status.path("restarts").asInt(0) + 1);
        if (counts) {
            status.put(
                    "restartsCountTowardsMax", status.path("restartsCountTowardsMax").asInt(0) + 1);
        }
    }
}
