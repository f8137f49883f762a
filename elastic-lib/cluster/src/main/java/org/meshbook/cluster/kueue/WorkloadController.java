package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.queue.PodsReady;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Leads a workload through its life: checks, eviction for reasons other than preemption, back-off,
/// deactivation.
final class WorkloadController implements Controller {
    private final Cluster cluster;
    private final InstantSource clock;
    private final Rules rules;
    private final Ledger ledger;
    private final Writer writer;
    private final EventRecorder events;

    WorkloadController(Cluster cluster, InstantSource clock, Ledger ledger, Rules rules) {
        this.cluster = cluster;
        this.clock = clock;
        this.rules = rules;
        this.ledger = ledger;
        writer = new Writer(cluster);
        events = Kueue.events(cluster, clock, "kueue-workload-controller", rules);
    }

    @Override
    public String name() {
        return "kueue-workloads";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.WORKLOAD, Kinds.CLUSTER_QUEUE, Kinds.LOCAL_QUEUE);
    }

    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var key = event.object().key();
        return key.kind().equals(Kinds.WORKLOAD)
                ? List.of(key)
                : ledger.workloads(key).stream().map(Workloads::key).toList();
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var workload = found.get();
        if (workload.deleting()) {
            release(workload);
            return Optional.empty();
        }
        if (workload.is(Marks.FINISHED)) {
            return Optional.empty();
        }
        if (rules.podsReady().isPresent() && workload.condition(Marks.PODS_READY).isEmpty()) {
            writer.status(key, json -> Readiness.waiting(json, clock.instant()));
        }
        if (!Workloads.active(workload)) {
            deactivate(workload);
            return Optional.empty();
        }
        if (workload.is(Marks.DEACTIVATION_TARGET)) {
            writer.object(key, json -> json.withObjectProperty("spec").put("active", false));
            return Optional.empty();
        }
        var local = cluster.find(Workloads.localQueue(workload));
        var queue =
                local.flatMap(
                        l ->
                                cluster.find(
                                        Kinds.CLUSTER_QUEUE.key(
                                                "", l.text("spec", "clusterQueue"))));
        if (Writer.isFalse(workload, Marks.REQUEUED) && !Workloads.reserves(workload)) {
            return requeue(workload, local, queue);
        }
        if (queue.isPresent()) {
            align(workload, queue.get());
        }
        return Workloads.reserves(workload) && !workload.is(Marks.EVICTED)
                ? watch(workload, local, queue)
                : Optional.empty();
    }

    private void release(Resource workload) {
        writer.object(workload.key(), json -> Finalizers.remove(json, Marks.IN_USE));
    }

    private void align(Resource workload, Resource queue) {
        var needed = Checks.needed(queue, Workloads.flavors(workload));
        writer.status(workload.key(), json -> Checks.align(json, needed, clock.instant()));
    }

    // ---- deactivation

    private void deactivate(Resource workload) {
        var now = clock.instant();
        var target = workload.is(Marks.DEACTIVATION_TARGET);
        var cause = target ? Writer.reason(workload, Marks.DEACTIVATION_TARGET) : "";
        var reason = "Deactivated" + (cause.isEmpty() ? "" : "DueTo" + cause);
        var because =
                target ? " due to " + Writer.message(workload, Marks.DEACTIVATION_TARGET) : "";
        var message = "The workload is deactivated" + because;
        boolean told =
                workload.condition(Marks.EVICTED).isPresent()
                        && Writer.reason(workload, Marks.EVICTED).startsWith("Deactivated")
                        && workload.is(Marks.EVICTED);
        if (told) {
            return;
        }
        writer.status(
                        workload.key(),
                        json -> {
                            Eviction.begin(json, reason, message, "", now);
                            var evictions =
                                    json.path("status").path("schedulingStats").path("evictions");
                            var last = evictions.get(evictions.size() - 1);
                            if (last instanceof ObjectNode entry) {
                                entry.put("reason", "Deactivated").put("underlyingCause", cause);
                            }
                            json.withObjectProperty("status").remove("requeueState");
                            if (target) {
                                Conditions.put(
                                        json,
                                        Marks.DEACTIVATION_TARGET,
                                        false,
                                        "Deactivated",
                                        "Workload was deactivated",
                                        now);
                            }
                            if (!Workloads.reserves(workload)) {
                                Eviction.releaseQuota(json, "Pending", message, now);
                                Conditions.put(json, Marks.REQUEUED, false, reason, message, now);
                            }
                        })
                .ifPresent(w -> Eviction.tell(events, w, reason, message));
    }

    // ---- coming back

    private Optional<Duration> requeue(
            Resource workload, Optional<Resource> local, Optional<Resource> queue) {
        var reason = Writer.reason(workload, Marks.REQUEUED);
        var now = clock.instant();
        if (reason.startsWith("Deactivated")) {
            again(workload, "Reactivated", "The workload was reactivated", now);
        } else if (reason.equals("ClusterQueueStopped")) {
            if (queue.isPresent() && !Health.stopped(queue.get())) {
                again(
                        workload,
                        "ClusterQueueRestarted",
                        "The ClusterQueue was restarted after being stopped",
                        now);
            }
        } else if (reason.equals("LocalQueueStopped")) {
            if (local.isPresent() && !Health.stopped(local.get())) {
                again(
                        workload,
                        "LocalQueueRestarted",
                        "The LocalQueue was restarted after being stopped",
                        now);
            }
        } else {
            var at = workload.time("status", "requeueState", "requeueAt").orElse(now);
            if (at.isAfter(now)) {
                return Optional.of(Duration.between(now, at));
            }
            again(workload, "BackoffFinished", "The workload backoff was finished", now);
        }
        return Optional.empty();
    }

    private void again(Resource workload, String reason, String message, Instant now) {
        writer.status(
                workload.key(),
                json -> {
                    Conditions.put(json, Marks.REQUEUED, true, reason, message, now);
                    if (reason.equals("Reactivated")) {
                        json.withObjectProperty("status").remove("requeueState");
                    } else if (json.path("status").path("requeueState")
                            instanceof ObjectNode state) {
                        state.remove("requeueAt");
                    }
                });
    }

    // ---- holding quota

    private Optional<Duration> watch(
            Resource workload, Optional<Resource> local, Optional<Resource> queue) {
        var now = clock.instant();
        var rejected = rejected(workload);
        if (!rejected.isEmpty()) {
            reject(workload, rejected, now);
            return Optional.empty();
        }
        if (Workloads.checkIn(workload, "Retry") != null) {
            return retry(workload, now);
        }
        if (queue.isPresent() && Health.drained(queue.get())) {
            evict(workload, "ClusterQueueStopped", "The ClusterQueue is stopped", "", now);
            return Optional.empty();
        }
        if (local.isPresent() && Health.drained(local.get())) {
            evict(workload, "LocalQueueStopped", "The LocalQueue is stopped", "", now);
            return Optional.empty();
        }
        if (!workload.is(Marks.ADMITTED)) {
            queue.ifPresent(q -> admit(workload, q, now));
            return Optional.empty();
        }
        return limits(workload, now);
    }

    private void admit(Resource workload, Resource queue, Instant now) {
        if (!Checks.ready(workload, Checks.needed(queue, Workloads.flavors(workload)))) {
            return;
        }
        var since = Writer.since(workload, Marks.QUOTA_RESERVED).orElse(now);
        writer.status(
                        workload.key(),
                        json ->
                                Conditions.put(
                                        json,
                                        Marks.ADMITTED,
                                        true,
                                        "Admitted",
                                        "The workload is admitted",
                                        now))
                .ifPresent(
                        w ->
                                events.normal(
                                        w,
                                        "Admitted",
                                        "Admitted by ClusterQueue %s, wait time since reservation was %ds"
                                                .formatted(
                                                        queue.name(),
                                                        Duration.between(since, now).toSeconds())));
    }

    private Optional<Duration> limits(Resource workload, Instant now) {
        var due = new ArrayList<Instant>();
        var since = Writer.since(workload, Marks.ADMITTED).orElse(now);
        long most = workload.at("spec", "maximumExecutionTimeSeconds").asLong(0);
        if (most > 0) {
            long past = workload.at("status", "accumulatedPastExecutionTimeSeconds").asLong(0);
            var end = since.plusSeconds(most - past);
            if (!end.isAfter(now)) {
                target(
                        workload,
                        "MaximumExecutionTimeExceeded",
                        "exceeding the maximum execution time",
                        now);
                return Optional.empty();
            }
            due.add(end);
        }
        rules.podsReady()
                .flatMap(rule -> readiness(workload, rule, since, now))
                .ifPresent(due::add);
        return due.stream()
                .filter(at -> at.isAfter(now))
                .min(Instant::compareTo)
                .map(at -> Duration.between(now, at));
    }

    /// @return when its pods must be ready; not later than now if it was taken back
    private Optional<Instant> readiness(
            Resource workload, PodsReady rule, Instant since, Instant now) {
        if (!Writer.isFalse(workload, Marks.PODS_READY)) {
            return Optional.empty();
        }
        var from = Writer.since(workload, Marks.PODS_READY).orElse(since);
        var wait = Readiness.lost(workload) ? rule.recovery() : rule.timeout();
        var end = (from.isAfter(since) ? from : since).plus(wait);
        if (!end.isAfter(now)) {
            unready(workload, rule, now);
        }
        return Optional.of(end);
    }

    private void unready(Resource workload, PodsReady rule, Instant now) {
        int count = workload.at("status", "requeueState", "count").asInt(0) + 1;
        if (rule.limit().isPresent() && count > rule.limit().getAsInt()) {
            target(
                    workload,
                    "RequeuingLimitExceeded",
                    "exceeding the maximum number of re-queuing retries",
                    now);
            return;
        }
        var at = now.plus(rule.pause(count));
        writer.status(
                workload.key(),
                json ->
                        json.withObjectProperty("status")
                                .withObjectProperty("requeueState")
                                .put("count", count)
                                .put("requeueAt", Conditions.stamp(at)));
        evict(
                workload,
                "PodsReadyTimeout",
                "Exceeded the PodsReady timeout " + Workloads.id(workload),
                Writer.reason(workload, Marks.PODS_READY),
                now);
    }

    private void evict(
            Resource workload, String reason, String message, String cause, Instant now) {
        writer.status(workload.key(), Eviction.edit(reason, message, cause, now))
                .ifPresent(w -> Eviction.tell(events, w, reason, message));
    }

    // ---- checks that failed

    /// Waits for the back-off before it evicts, or evicts and then waits, as the profile has it.
    private Optional<Duration> retry(Resource workload, Instant now) {
        var at = workload.time("status", "requeueState", "requeueAt").orElse(now);
        if (rules.backOffSincePending() && at.isAfter(now)) {
            return Optional.of(Duration.between(now, at));
        }
        evict(workload, Marks.ADMISSION_CHECK, retryText(workload), "", now);
        return Optional.empty();
    }

    private String retryText(Resource workload) {
        var check = Workloads.checkIn(workload, "Retry");
        return rules.checkTexts() && check != null
                ? "Evicted due to AdmissionCheck in Retry state: \"%s\" (%s)"
                        .formatted(Specs.text(check, "name"), Specs.text(check, "message"))
                : "At least one admission check is false";
    }

    private static List<JsonNode> rejected(Resource workload) {
        return workload.list("status", "admissionChecks").stream()
                .filter(c -> Specs.text(c, "state").equals("Rejected"))
                .toList();
    }

    private void reject(Resource workload, List<JsonNode> checks, Instant now) {
        var names = checks.stream().map(c -> Specs.text(c, "name")).toList();
        var first = checks.getFirst();
        var told =
                "AdmissionCheck in Rejected state: \"%s\" (%s)"
                        .formatted(Specs.text(first, "name"), Specs.text(first, "message"));
        target(
                workload,
                Marks.ADMISSION_CHECK,
                rules.checkTexts()
                        ? told
                        : "Admission check(s): %s, were rejected"
                                .formatted(String.join(",", names)),
                now);
        for (var check : checks) {
            events.warning(
                    workload,
                    "AdmissionCheckRejected",
                    rules.checkTexts()
                            ? "Deactivated due to " + told
                            : "Deactivating workload because AdmissionCheck for %s was Rejected: %s"
                                    .formatted(
                                            Specs.text(check, "name"),
                                            Specs.text(check, "message")));
        }
    }

    private void target(Resource workload, String reason, String message, Instant now) {
        writer.status(
                workload.key(),
                json ->
                        Conditions.put(
                                json, Marks.DEACTIVATION_TARGET, true, reason, message, now));
    }
}
