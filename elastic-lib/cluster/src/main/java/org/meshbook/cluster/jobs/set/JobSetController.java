package org.meshbook.cluster.jobs.set;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.control.Owners;
import org.meshbook.cluster.jobs.set.JobSetPlan.Verdict;

/// Makes the jobs of JobSets and decides what their ends mean.
public final class JobSetController implements Controller {
    private final Cluster cluster;
    private final InstantSource clock;
    private final EventRecorder events;

    /// @param cluster where JobSets are
    /// @param clock wall time
    public JobSetController(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.events = new EventRecorder(cluster, clock, "jobset");
    }

    @Override
    public String name() {
        return "jobset";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.JOB_SET, Kinds.JOB);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        return object.key().kind().equals(Kinds.JOB)
                ? Owners.of(object, Kinds.JOB_SET)
                : List.of(object.key());
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty() || found.get().deleting() || !managedByUs(found.get())) {
            return Optional.empty();
        }
        var set = found.get();
        var now = clock.instant();
        // 1. see
        var owned =
                cluster.ownedBy(set, Kinds.JOB).stream()
                        .sorted(Comparator.comparing(Resource::name))
                        .toList();
        var jobs = ChildJobs.of(set, owned);
        if (ended(set)) {
            delete(jobs.previous());
            delete(jobs.active());
            return expire(set, now);
        }
        // 2. decide
        var plan = JobSetPlan.of(set, jobs);
        // 3. say so
        var told = JobSetStatus.of(set, jobs, plan, now);
        if (!told.json().equals(set.json())) {
            told = cluster.updateStatus(told);
            tell(set, told, plan);
        }
        // 4. act
        act(told, plan);
        return Optional.empty();
    }

    private static boolean managedByUs(Resource set) {
        var by = set.text("spec", "managedBy");
        return by.isEmpty() || by.equals("jobset.sigs.k8s.io/jobset-controller");
    }

    private static boolean ended(Resource set) {
        return set.is("Completed") || set.is("Failed");
    }

    private void tell(Resource before, Resource set, JobSetPlan plan) {
        switch (plan.verdict()) {
            case Verdict.Completed _ ->
                    events.normal(set, "AllJobsCompleted", "jobset completed successfully");
            case Verdict.Failed(var reason, var message) -> events.warning(set, reason, message);
            case Verdict.Restart(_, var event, var message) -> events.warning(set, event, message);
            case Verdict.GoOn _ -> {
                if (set.is("Suspended") && !before.is("Suspended")) {
                    events.normal(set, "SuspendedJobs", "jobset is suspended");
                } else if (before.is("Suspended") && !set.is("Suspended")) {
                    events.normal(set, "ResumeJobs", "jobset is resumed");
                }
            }
        }
    }

    private void act(Resource set, JobSetPlan plan) {
        delete(plan.delete());
        if (!(plan.verdict() instanceof Verdict.GoOn)) {
            return;
        }
        plan.suspend().forEach(job -> hold(job));
        plan.resume().forEach(job -> resume(job, set));
        if (!plan.create().isEmpty()) {
            makeService(set);
            plan.create().forEach(name -> make(set, name));
        }
    }

    private void hold(Resource job) {
        cluster.update(
                job.with(json -> json.withObjectProperty("spec").put("suspend", true)),
                WriteOptions.PLAIN);
    }

    /// A job that ran before may only get another template while it has no start time.
    private void resume(Resource job, Resource set) {
        var current = job;
        if (!job.at("status", "startTime").isMissingNode()) {
            current =
                    cluster.updateStatus(
                            job.with(
                                    json -> json.withObjectProperty("status").remove("startTime")));
        }
        cluster.update(SetJobs.resumed(current, set), WriteOptions.PLAIN);
    }

    private void makeService(Resource set) {
        if (!new JobSetSpec(set).dns()) {
            return;
        }
        var service = SetJobs.service(set);
        if (cluster.find(service.key()).isEmpty()) {
            cluster.create(service, WriteOptions.PLAIN);
        }
    }

    private void make(Resource set, String name) {
        try {
            cluster.create(SetJobs.of(set, name), WriteOptions.PLAIN);
        } catch (ApiException refused) {
            events.warning(
                    set,
                    "JobCreationFailed",
                    "job \"%s\" creation failed with error: %s"
                            .formatted(name, refused.getMessage()));
            throw refused;
        }
    }

    private void delete(List<Resource> jobs) {
        jobs.stream()
                .filter(job -> !job.deleting())
                .forEach(
                        job -> {
                            try {
                                cluster.delete(job.key(), Propagation.FOREGROUND);
                            } catch (ApiException refused) {
                                if (!refused.missing()) {
                                    throw refused;
                                }
                            }
                        });
    }

    private Optional<Duration> expire(Resource set, Instant now) {
        var ttl = set.at("spec", "ttlSecondsAfterFinished");
        var end =
                Stream.of("Completed", "Failed")
                        .filter(set::is)
                        .flatMap(type -> set.condition(type).stream())
                        .map(c -> Instant.parse(c.path("lastTransitionTime").asString("")))
                        .findFirst();
        if (ttl.isMissingNode() || end.isEmpty()) {
            return Optional.empty();
        }
        var left = Duration.between(now, end.get().plusSeconds(ttl.asLong()));
        if (left.isPositive()) {
            return Optional.of(left);
        }
        cluster.delete(set.key(), Propagation.FOREGROUND);
        return Optional.empty();
    }
}
