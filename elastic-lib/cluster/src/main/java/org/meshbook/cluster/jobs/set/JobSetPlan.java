package org.meshbook.cluster.jobs.set;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// What to do about a JobSet now.
///
/// @param verdict what becomes of it because of its jobs' ends
/// @param delete jobs to take away, their pods first
/// @param create names of jobs to make
/// @param suspend jobs to hold
/// @param resume held jobs to let run
/// @param starting whether it waits for replicated jobs that come first
record JobSetPlan(
        Verdict verdict,
        List<Resource> delete,
        List<String> create,
        List<Resource> suspend,
        List<Resource> resume,
        boolean starting) {
    /// What the ends of its jobs mean for the set.
    sealed interface Verdict {
        /// It goes on.
        record GoOn() implements Verdict {}

        record Completed() implements Verdict {}

        record Failed(String reason, String message) implements Verdict {}

        /// @param counts whether it counts towards the most restarts
        record Restart(boolean counts, String event, String message) implements Verdict {}
    }

    private static final Verdict GO_ON = new Verdict.GoOn();

    /// Decides; pure.
    ///
    /// @param set the JobSet
    /// @param jobs its jobs
    static JobSetPlan of(Resource set, ChildJobs jobs) {
        var spec = new JobSetSpec(set);
        if (!jobs.failed().isEmpty()) {
            return only(failure(spec, jobs), jobs);
        }
        if (succeeded(spec, jobs)) {
            return only(new Verdict.Completed(), jobs);
        }
        return goOn(spec, jobs);
    }

    /// The jobs of a set that ended or begins anew.
    private static JobSetPlan only(Verdict verdict, ChildJobs jobs) {
        var delete = new ArrayList<>(jobs.previous());
        if (!(verdict instanceof Verdict.Restart)) {
            delete.addAll(jobs.active());
        }
        return new JobSetPlan(verdict, delete, List.of(), List.of(), List.of(), false);
    }

    private static Verdict failure(JobSetSpec spec, ChildJobs jobs) {
        var first = jobs.firstFailed().orElseThrow();
        if (!spec.hasFailurePolicy()) {
            return new Verdict.Failed(
                    "FailedJobs", because("jobset failed due to one or more job failures", first));
        }
        for (var rule : spec.failureRules()) {
            var fitting = jobs.failed().stream().filter(job -> fits(rule, job)).findFirst();
            if (fitting.isPresent()) {
                return act(rule.path("action").asString(""), spec, fitting.get());
            }
        }
        return act("RestartJobSet", spec, first);
    }

    private static boolean fits(JsonNode rule, Resource job) {
        var reasons = JobSetSpec.texts(rule.path("onJobFailureReasons"));
        var targets = JobSetSpec.texts(rule.path("targetReplicatedJobs"));
        var patterns = JobSetSpec.texts(rule.path("onJobFailureMessagePatterns"));
        var failure = ChildJobs.failure(job);
        var message = failure.path("message").asString("");
        return (reasons.isEmpty() || reasons.contains(failure.path("reason").asString("")))
                && (targets.isEmpty()
                        || targets.contains(job.labels().getOrDefault(Keys.REPLICATED_JOB, "")))
                && (patterns.isEmpty() || patterns.stream().anyMatch(message::matches));
    }

    private static Verdict act(String action, JobSetSpec spec, Resource job) {
        var event = action + "FailurePolicyAction";
        var message = because("applying %s failure policy action".formatted(action), job);
        if (action.equals("FailJobSet")) {
            return new Verdict.Failed(event, message);
        }
        if (action.equals("RestartJobSetAndIgnoreMaxRestarts")) {
            return new Verdict.Restart(false, event, message);
        }
        int counted = spec.set().at("status", "restartsCountTowardsMax").asInt(0);
        if (counted >= spec.maxRestarts()) {
            return new Verdict.Failed(
                    "ReachedMaxRestarts",
                    because("jobset failed due to reaching max number of restarts", job));
        }
        return new Verdict.Restart(true, event, message);
    }

    private static String because(String what, Resource job) {
        return "%s (first failed job: %s)".formatted(what, job.name());
    }

    private static boolean succeeded(JobSetSpec spec, ChildJobs jobs) {
        var targets = spec.successTargets();
        long good =
                jobs.succeeded().stream()
                        .map(job -> job.labels().getOrDefault(Keys.REPLICATED_JOB, ""))
                        .filter(name -> targets.isEmpty() || targets.contains(name))
                        .count();
        long wanted =
                spec.replicatedJobs().stream()
                        .filter(j -> targets.isEmpty() || targets.contains(JobSetSpec.nameOf(j)))
                        .mapToInt(JobSetSpec::replicas)
                        .sum();
        return good > 0 && (spec.anySuccess() || good >= wanted);
    }

    private static JobSetPlan goOn(JobSetSpec spec, ChildJobs jobs) {
        var create = new ArrayList<String>();
        var resume = new ArrayList<Resource>();
        boolean held = spec.suspended();
        boolean blocked = spec.blockingRecreate() && !jobs.previous().isEmpty();
        boolean starting = false;
        for (var replicated : spec.replicatedJobs()) {
            var name = JobSetSpec.nameOf(replicated);
            int started = jobs.tally(name).started();
            boolean waits = !held && spec.inOrder() && started < JobSetSpec.replicas(replicated);
            if (!held && !dependenciesMet(replicated, spec, jobs)) {
                starting = true;
                continue;
            }
            if (!blocked) {
                spec.jobNames(replicated).stream()
                        .filter(job -> !jobs.exists(job))
                        .forEach(create::add);
            }
            if (!held) {
                jobs.active().stream()
                        .filter(job -> ChildJobs.of(job, name) && ChildJobs.suspended(job))
                        .forEach(resume::add);
            }
            if (waits) {
                starting = true;
                break;
            }
        }
        var suspend =
                held
                        ? jobs.active().stream().filter(j -> !ChildJobs.suspended(j)).toList()
                        : List.<Resource>of();
        return new JobSetPlan(GO_ON, jobs.previous(), create, suspend, resume, starting);
    }

    private static boolean dependenciesMet(JsonNode replicated, JobSetSpec spec, ChildJobs jobs) {
        return replicated
                .path("dependsOn")
                .valueStream()
                .allMatch(
                        on -> {
                            var name = on.path("name").asString("");
                            var tally = jobs.tally(name);
                            int done =
                                    on.path("status").asString("").equals("Complete")
                                            ? tally.succeeded()
                                            : tally.ready() + tally.succeeded();
                            return done >= replicasOf(spec, name);
                        });
    }

    private static int replicasOf(JobSetSpec spec, String name) {
        return spec.replicatedJobs().stream()
                .filter(j -> JobSetSpec.nameOf(j).equals(name))
                .mapToInt(JobSetSpec::replicas)
                .findFirst()
                .orElse(0);
    }

    /// @return the condition of a startup in order, if the set asks for one and is not held
    static Optional<Boolean> startupDone(Resource set, JobSetPlan plan) {
        var spec = new JobSetSpec(set);
        return spec.inOrder() && !spec.suspended() && plan.verdict() instanceof Verdict.GoOn
                ? Optional.of(!plan.starting())
                : Optional.empty();
    }
}
