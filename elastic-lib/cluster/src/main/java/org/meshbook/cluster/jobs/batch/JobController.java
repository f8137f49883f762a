package org.meshbook.cluster.jobs.batch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/// Makes and counts the pods of Jobs.
///
/// A Job is looked at as soon as somebody changes what it asks for, and one second after a change
/// of its pods or its status, as the real controller does to look once at many changes.
public final class JobController implements Controller {
    private static final Duration BATCH = Duration.ofSeconds(1);
    private static final Duration LAST_REFUSAL = Duration.ofMinutes(1);

    private final Cluster cluster;
    private final InstantSource clock;
    private final EventRecorder events;
    private final Map<ResourceKey, Instant> due = new HashMap<>();
    private final Map<ResourceKey, Long> generations = new HashMap<>();
    private final Map<ResourceKey, Trouble> troubles = new HashMap<>();

    /// @param failures pods that failed one after the other
    /// @param refusals pods that the server refused, one after the other
    /// @param until when pods may be made again
    private record Trouble(int failures, int refusals, Instant until) {
        static final Trouble NONE = new Trouble(0, 0, Instant.EPOCH);
    }

    /// @param cluster where Jobs are
    /// @param clock wall time
    public JobController(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.events = new EventRecorder(cluster, clock, "job-controller");
    }

    @Override
    public String name() {
        return "job";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.JOB, Kinds.POD);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        if (object.key().kind().equals(Kinds.POD)) {
            var owner = Owners.of(object, Kinds.JOB);
            owner.forEach(job -> wake(job, clock.instant().plus(BATCH)));
            return owner;
        }
        var key = object.key();
        if (event.type() == WatchEvent.Type.DELETED) {
            generations.remove(key);
            troubles.remove(key);
        }
        Long before = generations.put(key, object.generation());
        boolean same =
                event.type() == WatchEvent.Type.MODIFIED
                        && before != null
                        && before == object.generation();
        wake(key, same ? clock.instant().plus(BATCH) : clock.instant());
        return List.of(key);
    }

    private void wake(ResourceKey key, Instant at) {
        due.merge(key, at, (a, b) -> a.isBefore(b) ? a : b);
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var now = clock.instant();
        var at = due.getOrDefault(key, now);
        if (at.isAfter(now)) {
            return Optional.of(Duration.between(now, at));
        }
        due.remove(key);
        try {
            var job = cluster.find(key);
            if (job.isEmpty()) {
                releaseOrphans(key);
                return Optional.empty();
            }
            if (!managedByUs(job.get())) {
                return Optional.empty();
            }
            sync(job.get(), now).ifPresent(next -> wake(key, next));
        } catch (ApiException refused) {
            due.put(key, now);
            throw refused;
        }
        return Optional.ofNullable(due.get(key)).map(next -> Duration.between(now, next));
    }

    private static boolean managedByUs(Resource job) {
        var by = job.text("spec", "managedBy");
        return by.isEmpty() || by.equals("kubernetes.io/job-controller");
    }

    /// Nobody counts the pods of a Job that is gone.
    private void releaseOrphans(ResourceKey job) {
        cluster.list(Kinds.POD, job.namespace()).stream()
                .filter(pod -> Owners.of(pod, Kinds.JOB).contains(job))
                .forEach(this::release);
    }

    private Optional<Instant> sync(Resource job, Instant now) {
        var pods =
                cluster.ownedBy(job, Kinds.POD).stream()
                        .sorted(
                                Comparator.comparing((Resource p) -> p.created().orElse(now))
                                        .thenComparing(Resource::name))
                        .toList();
        var spec = new JobSpec(job);
        if (job.deleting()) {
            pods.forEach(this::release);
            return Optional.empty();
        }
        if (spec.ended().isPresent()) {
            pods.forEach(this::release);
            return expire(job, spec, now);
        }
        // 1. count what ended
        var tally = new PodTally(job, pods);
        var current = job;
        if (!tally.toCount().isEmpty()) {
            current = cluster.updateStatus(JobStatus.noted(job, tally));
            remember(job.key(), tally, now);
            tally.toCount().forEach(this::release);
        }
        // 2. decide
        var plan = JobPlan.of(current, tally, now);
        // 3. say so
        var told = JobStatus.counted(current, tally, plan, now);
        if (!told.json().equals(current.json())) {
            tell(current, cluster.updateStatus(told));
        }
        // 4. act
        return act(told, tally, plan, now);
    }

    private void remember(ResourceKey key, PodTally tally, Instant now) {
        int failed = tally.newFailed().size();
        troubles.compute(
                key,
                (_, old) -> {
                    var before = old == null ? Trouble.NONE : old;
                    if (failed == 0) {
                        return Trouble.NONE;
                    }
                    int failures = before.failures() + failed;
                    return new Trouble(
                            failures, before.refusals(), now.plus(JobPlan.pause(failures)));
                });
    }

    private void release(Resource pod) {
        if (!PodTally.holds(pod)) {
            return;
        }
        ifThere(
                () ->
                        cluster.update(
                                latest(pod)
                                        .with(
                                                json ->
                                                        json.withObjectProperty("metadata")
                                                                .withArrayProperty("finalizers")
                                                                .removeIf(
                                                                        f ->
                                                                                f.asString("")
                                                                                        .equals(
                                                                                                PodTally
                                                                                                        .FINALIZER))),
                                WriteOptions.PLAIN));
    }

    private Resource latest(Resource object) {
        return cluster.find(object.key())
                .filter(o -> o.uid().equals(object.uid()))
                .orElseThrow(() -> ApiException.notFound(object.kind(), object.name()));
    }

    private void tell(Resource before, Resource after) {
        for (var type : List.of("Failed", "Complete")) {
            if (after.is(type) && !before.is(type)) {
                after.condition(type)
                        .ifPresent(
                                c -> {
                                    if (type.equals("Failed")) {
                                        events.warning(
                                                after,
                                                c.path("reason").asString(""),
                                                c.path("message").asString(""));
                                    } else {
                                        events.normal(after, "Completed", "Job completed");
                                    }
                                });
            }
        }
        if (after.is("Suspended") && !before.is("Suspended")) {
            events.normal(after, "Suspended", "Job suspended");
        } else if (before.is("Suspended") && !after.is("Suspended")) {
            events.normal(after, "Resumed", "Job resumed");
        }
    }

    private Optional<Instant> act(Resource job, PodTally pods, JobPlan plan, Instant now) {
        if (plan.target().isPresent()) {
            pods.active().forEach(pod -> ifThere(() -> delete(pod)));
            return plan.over() ? expire(job, new JobSpec(job), now) : Optional.empty();
        }
        for (var pod : plan.surplus()) {
            release(pod);
            ifThere(() -> delete(pod));
            events.normal(job, "SuccessfulDelete", "Deleted pod: " + pod.name());
        }
        var wait =
                plan.indexes().isEmpty() ? Optional.<Instant>empty() : make(job, pods, plan, now);
        return Stream.of(wait, JobPlan.deadline(job))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void delete(Resource pod) {
        cluster.delete(pod.key(), Propagation.BACKGROUND);
    }

    /// Makes pods; after a refusal the rest waits.
    private Optional<Instant> make(Resource job, PodTally pods, JobPlan plan, Instant now) {
        var trouble = troubles.getOrDefault(job.key(), Trouble.NONE);
        if (now.isBefore(trouble.until())) {
            return Optional.of(trouble.until());
        }
        Optional<ApiException> refusal = Optional.empty();
        for (int index : plan.indexes()) {
            try {
                var pod =
                        cluster.create(
                                JobPods.of(job, index, pods.indexFailures(index)),
                                WriteOptions.PLAIN);
                events.normal(job, "SuccessfulCreate", "Created pod: " + pod.name());
            } catch (ApiException refused) {
                refusal = Optional.of(refused);
                events.warning(job, "FailedCreate", "Error creating: " + refused.getMessage());
            }
        }
        if (refusal.isEmpty()) {
            troubles.put(job.key(), new Trouble(trouble.failures(), 0, Instant.EPOCH));
            return Optional.empty();
        }
        var pause = BATCH.multipliedBy(1L << Math.min(trouble.refusals(), 6));
        var until = now.plus(pause.compareTo(LAST_REFUSAL) < 0 ? pause : LAST_REFUSAL);
        troubles.put(job.key(), new Trouble(trouble.failures(), trouble.refusals() + 1, until));
        return Optional.of(until);
    }

    private Optional<Instant> expire(Resource job, JobSpec spec, Instant now) {
        var ttl = spec.ttlSecondsAfterFinished();
        var end =
                spec.ended()
                        .map(c -> Instant.parse(c.path("lastTransitionTime").asString("")))
                        .map(at -> at.plusSeconds(ttl.orElse(0)));
        if (ttl.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        if (now.isBefore(end.get())) {
            return end;
        }
        ifThere(() -> cluster.delete(job.key(), Propagation.FOREGROUND));
        return Optional.empty();
    }

    private static void ifThere(Runnable action) {
        try {
            action.run();
        } catch (ApiException refused) {
            if (!refused.missing()) {
                throw refused;
            }
        }
    }
}
