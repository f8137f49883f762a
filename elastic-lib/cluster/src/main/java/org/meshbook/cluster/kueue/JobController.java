package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.control.Owners;
import org.meshbook.cluster.queue.Rules;

/// Ties the jobs of one kind to Workloads: makes them, starts jobs that were admitted, stops those
/// that were evicted, and tells when a job is over.
final class JobController implements Controller {
    private final Cluster cluster;
    private final InstantSource clock;
    private final JobKind jobs;
    private final Rules rules;
    private final Writer writer;
    private final EventRecorder events;
    private final WorkloadMaker maker;
    private final Starter starter;

    JobController(Cluster cluster, InstantSource clock, JobKind jobs, Rules rules) {
        this.cluster = cluster;
        this.clock = clock;
        this.jobs = jobs;
        this.rules = rules;
        writer = new Writer(cluster);
        events = Kueue.events(cluster, clock, jobs.reporter(), rules);
        maker = new WorkloadMaker(cluster, jobs);
        starter = new Starter(cluster, jobs, rules);
    }

    @Override
    public String name() {
        return "kueue-" + jobs.kind().plural();
    }

    @Override
    public Set<ResourceKind> watches() {
        var kinds = new LinkedHashSet<>(jobs.children());
        if (jobs.elastic() && rules.elasticSlices()) {
            kinds.add(Kinds.POD);
        }
        kinds.add(jobs.kind());
        kinds.add(Kinds.WORKLOAD);
        return kinds;
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var object = event.object();
        var found = new ArrayList<>(Owners.of(object, jobs.kind()));
        if (object.key().kind().equals(jobs.kind())) {
            found.add(object.key());
        } else if (object.key().kind().equals(Kinds.POD)) {
            // pods of a job's cluster or of a set's job
            Owners.of(object)
                    .flatMap(cluster::find)
                    .ifPresent(owner -> found.addAll(Owners.of(owner, jobs.kind())));
        }
        return found;
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var job = found.get();
        if (job.deleting()) {
            letGo(job);
            return Optional.empty();
        }
        if (!Queues.manages(job, rules)
                || !jobs.held(job)
                || Queues.hasManagedOwner(cluster, job, rules)) {
            return Optional.empty();
        }
        var workloads = workloads(job);
        // 1. it is over
        var end = jobs.end(job);
        if (end.isPresent()) {
            workloads.forEach(w -> finish(job, w, end.get()));
            letGo(job);
            return Optional.empty();
        }
        return lead(writer.object(key, json -> jobs.note(json, cluster)).orElse(job), workloads);
    }

    private Optional<Duration> lead(Resource job, List<Resource> workloads) {
        // 2. its workload, one that fits it
        var workload = workloads.isEmpty() ? null : workloads.getLast();
        boolean elastic = elastic(job);
        if (workload != null && !maker.fits(workload, job)) {
            workload =
                    elastic && !jobs.suspended(job) ? resize(job, workload) : renew(job, workload);
        }
        if (workload == null) {
            return create(job, elastic);
        }
        workload = labels(job, workload);
        // 3. running or not
        var running = workloads.isEmpty() ? workload : workloads.getFirst();
        boolean waits = elastic && !Workloads.reserves(workload);
        return follow(job, waits ? running : workload);
    }

    /// Its end is known, or nobody will ask for it.
    private void letGo(Resource job) {
        if (job.list("metadata", "finalizers").stream()
                .anyMatch(f -> f.asString("").equals(Marks.MANAGED))) {
            writer.object(job.key(), json -> Finalizers.remove(json, Marks.MANAGED));
        }
    }

    private boolean elastic(Resource job) {
        return rules.elasticSlices()
                && jobs.elastic()
                && job.annotations().getOrDefault(Marks.ELASTIC, "").equals("true");
    }

    /// Unfinished workloads of a job, the oldest first.
    private List<Resource> workloads(Resource job) {
        return cluster.ownedBy(job, Kinds.WORKLOAD).stream()
                .filter(w -> Owners.controls(job, w) && !w.is(Marks.FINISHED) && !w.deleting())
                .sorted(
                        Comparator.comparing((Resource w) -> w.created().orElse(Instant.EPOCH))
                                .thenComparing(w -> w.annotations().containsKey(Marks.REPLACES)))
                .toList();
    }

    private Optional<Duration> follow(Resource job, Resource workload) {
        if (workload.is(Marks.EVICTED)) {
            stop(job, workload, Writer.message(workload, Marks.EVICTED));
        } else if (workload.is(Marks.ADMITTED)) {
            if (jobs.suspended(job)) {
                start(job, workload);
            } else {
                starter.ungate(job, workload);
                report(job, workload);
            }
        } else if (!jobs.suspended(job) && !grows(workload)) {
            stop(job, workload, "Not admitted by cluster queue");
        }
        return Optional.empty();
    }

    /// Whether a slice has taken another's place and waits for its checks: what ran runs on.
    private static boolean grows(Resource workload) {
        return workload.annotations().containsKey(Marks.REPLACES) && Workloads.reserves(workload);
    }

    // ---- making

    private Optional<Duration> create(Resource job, boolean elastic) {
        if (!jobs.suspended(job)) {
            writer.object(job.key(), json -> jobs.suspend(json, true));
            return Optional.empty();
        }
        if (finished(job)) {
            return Optional.empty();
        }
        make(job, elastic, null);
        return Optional.empty();
    }

    /// A job whose workload failed to start or ran out is not queued again.
    private boolean finished(Resource job) {
        return cluster.ownedBy(job, Kinds.WORKLOAD).stream()
                .anyMatch(
                        w ->
                                w.is(Marks.FINISHED)
                                        && List.of("FailedToStart", "Succeeded", "Failed")
                                                .contains(Writer.reason(w, Marks.FINISHED)));
    }

    private @Nullable Resource make(Resource job, boolean elastic, @Nullable Resource replaced) {
        var wanted = maker.make(job, elastic, replaced, Queues.name(job, rules));
        try {
            var made = cluster.create(wanted, WriteOptions.PLAIN);
            events.normal(job, "CreatedWorkload", "Created Workload: " + Workloads.id(made));
            return made;
        } catch (ApiException refused) {
            if (refused.code() == 409) {
                return null;
            }
            throw refused;
        }
    }

    /// The job changed: a workload that waits is changed too, one that runs makes way for another.
    private @Nullable Resource renew(Resource job, Resource workload) {
        if (jobs.suspended(job) && !Workloads.reserves(workload)) {
            var changed = maker.make(job, false, null, Queues.name(job, rules));
            return writer.object(
                            workload.key(),
                            json -> json.set("spec", changed.json().required("spec").deepCopy()))
                    .orElse(null);
        }
        writer.status(
                workload.key(),
                json ->
                        Conditions.put(
                                json,
                                Marks.FINISHED,
                                true,
                                "OutOfSync",
                                "The prebuilt workload is out of sync with its user job",
                                clock.instant()));
        if (!jobs.suspended(job)) {
            starter.stop(job, workload);
            events.normal(
                    job,
                    "Stopped",
                    "No matching Workload; restoring pod templates according to existent Workload");
        }
        cluster.delete(workload.key(), Propagation.BACKGROUND);
        return null;
    }

    /// An elastic job that runs: with fewer pods its workload shrinks, with more it gets another
    /// that is to replace the one it has.
    private @Nullable Resource resize(Resource job, Resource workload) {
        var wanted = new LinkedHashMap<String, Integer>();
        jobs.pods(job).forEach(p -> wanted.put(p.name(), p.count()));
        if (maker.shrinks(workload, wanted)) {
            writer.object(workload.key(), json -> maker.shrinkSpec(json, wanted));
            return writer.status(workload.key(), json -> maker.shrinkAdmission(json, wanted))
                    .orElse(null);
        }
        if (!Workloads.reserves(workload)) {
            return renewSpec(job, workload);
        }
        var made = make(job, true, workload);
        return made == null ? workload : made;
    }

    private @Nullable Resource renewSpec(Resource job, Resource workload) {
        var changed = maker.make(job, true, null, Queues.name(job, rules));
        return writer.object(
                        workload.key(),
                        json -> json.set("spec", changed.json().required("spec").deepCopy()))
                .orElse(null);
    }

    /// What may change in labels of a job: its priority class, and its queue as long as it waits.
    private Resource labels(Resource job, Resource workload) {
        var queue = Queues.name(job, rules);
        var wanted = job.labels().getOrDefault(Marks.PRIORITY_CLASS, "");
        boolean moves =
                !Workloads.reserves(workload) && !workload.text("spec", "queueName").equals(queue);
        boolean rises =
                !wanted.isEmpty()
                        && !wanted.equals(workload.text("spec", "priorityClassRef", "name"));
        if (!moves && !rises) {
            return workload;
        }
        var after =
                writer.object(
                        workload.key(),
                        json -> {
                            var spec = json.withObjectProperty("spec");
                            if (moves) {
                                spec.put("queueName", queue);
                            }
                            if (rises) {
                                maker.putPriority(spec, job);
                            }
                        });
        if (rises) {
            events.normal(
                    job,
                    "UpdatedWorkload",
                    "Updated workload priority class: " + Workloads.id(workload));
        }
        return after.orElse(workload);
    }

    // ---- starting and stopping

    private void start(Resource job, Resource workload) {
        var conflict = starter.start(job, workload);
        if (conflict.isEmpty()) {
            events.normal(
                    job,
                    "Started",
                    "Admitted by clusterQueue "
                            + workload.text("status", "admission", "clusterQueue"));
            return;
        }
        writer.status(
                workload.key(),
                json ->
                        Conditions.put(
                                json,
                                Marks.FINISHED,
                                true,
                                "FailedToStart",
                                "Failed to start: " + conflict,
                                clock.instant()));
    }

    private void stop(Resource job, Resource workload, String message) {
        var now = clock.instant();
        if (!jobs.suspended(job)) {
            starter.stop(job, workload);
            events.normal(job, "Stopped", message);
        }
        var present = cluster.find(job.key()).orElse(job);
        if (!jobs.active(cluster, present)
                && workload.is(Marks.EVICTED)
                && Workloads.reserves(workload)) {
            Eviction.complete(writer, workload, now);
        }
    }

    // ---- telling

    private void report(Resource job, Resource workload) {
        var now = clock.instant();
        var pods = jobs.pods(job);
        var done = jobs.reclaimable(job, pods);
        writer.status(
                workload.key(),
                json -> {
                    if (!done.isEmpty()) {
                        var list = json.withObjectProperty("status").putArray("reclaimablePods");
                        done.forEach(
                                (name, count) ->
                                        list.addObject().put("name", name).put("count", count));
                    }
                    if (rules.podsReady().isPresent()) {
                        Readiness.put(json, jobs.ready(cluster, job), now);
                    }
                });
    }

    private void finish(Resource job, Resource workload, JobKind.End end) {
        var now = clock.instant();
        writer.status(
                workload.key(),
                json -> {
                    Conditions.put(
                            json,
                            Marks.FINISHED,
                            true,
                            end.succeeded() ? "Succeeded" : "Failed",
                            end.message(),
                            now);
                });
        events.normal(
                job,
                "FinishedWorkload",
                "Workload '%s' is declared finished".formatted(Workloads.id(workload)));
    }
}
