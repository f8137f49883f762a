package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.queue.Amounts;
import org.meshbook.cluster.queue.Assignment;
import org.meshbook.cluster.queue.Decision;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Target;
import tools.jackson.databind.node.ObjectNode;

/// Writes what a cycle decided: conditions and events of workloads.
final class Admissions {
    private final Writer writer;
    private final EventRecorder events;
    private final QueueState state;

    Admissions(Writer writer, EventRecorder events, QueueState state) {
        this.writer = writer;
        this.events = events;
        this.state = state;
    }

    // ---- waiting

    void inadmissible(Resource workload, String message, Instant now) {
        writer.status(
                workload.key(), json -> Eviction.releaseQuota(json, "Inadmissible", message, now));
    }

    void wait(Decision.Wait decision, Instant now) {
        pending(decision, decision.message(), now);
    }

    private void pending(Decision decision, String message, Instant now) {
        var key = Workloads.key(decision.workload().key());
        var before = writer.cluster().find(key).orElse(null);
        if (before == null) {
            return;
        }
        var after =
                writer.status(
                        key,
                        json -> {
                            Eviction.releaseQuota(json, "Pending", message, now);
                            putRequests(json, decision);
                        });
        boolean same = Writer.message(before, Marks.QUOTA_RESERVED).equals(message);
        if (!(same && state.rules().quietPending())) {
            after.ifPresent(w -> events.warning(w, "Pending", message));
        }
    }

    private static void putRequests(ObjectNode workload, Decision decision) {
        var list = workload.withObjectProperty("status").putArray("resourceRequests");
        for (var podSet : decision.workload().podSets()) {
            var resources = list.addObject().put("name", podSet.name()).putObject("resources");
            Workloads.total(podSet).forEach(resources::put);
        }
    }

    // ---- preempting

    void preempt(Decision.Preempt decision, Instant now) {
        var key = Workloads.key(decision.workload().key());
        var preemptor = writer.cluster().find(key).orElse(null);
        if (preemptor == null) {
            return;
        }
        for (var target : decision.targets()) {
            if (!target.victim().evicted()) {
                evict(preemptor, decision, target, now);
            }
        }
        pending(decision, decision.message(), now);
    }

    private void evict(Resource preemptor, Decision.Preempt decision, Target target, Instant now) {
        var rules = state.rules();
        var message =
                "Preempted to accommodate a workload (UID: %s, JobUID: %s) due to %s"
                        .formatted(
                                preemptor.uid(),
                                Workloads.jobUid(preemptor),
                                target.reason().text());
        if (rules.preemptionPaths()) {
            message +=
                    "; preemptor path: %s; preemptee path: %s"
                            .formatted(
                                    state.path(decision.workload().queue()),
                                    state.path(target.victim().queue()));
        }
        var text = message;
        var key = Workloads.key(target.victim().key());
        var before = writer.cluster().find(key).orElse(null);
        if (before == null || before.is(Marks.EVICTED)) {
            return;
        }
        var victim =
                writer.status(
                        key,
                        json -> {
                            Eviction.begin(json, Marks.PREEMPTED, text, "", now);
                            Conditions.put(
                                    json, Marks.PREEMPTED, true, target.reason().word(), text, now);
                        });
        victim.ifPresent(w -> tell(preemptor, w, target, text));
    }

    private void tell(Resource preemptor, Resource victim, Target target, String message) {
        Eviction.tell(events, victim, Marks.PREEMPTED, message);
        if (!state.rules().preemptionPriorities()) {
            events.normal(victim, Marks.PREEMPTED, message);
            return;
        }
        var priorities =
                ("; preemptor effective priority: %1$d (base: %1$d, boost: 0); preemptee effective"
                                + " priority: %2$d (base: %2$d, boost: 0)")
                        .formatted(Workloads.priority(preemptor), Workloads.priority(victim));
        events.normal(victim, Marks.PREEMPTED, message + priorities);
        events.normal(
                preemptor,
                "PreemptedWorkload",
                "Preempted workload %s (UID: %s) in ClusterQueue %s%s"
                        .formatted(
                                Workloads.id(victim),
                                victim.uid(),
                                target.victim().queue(),
                                priorities));
    }

    // ---- admitting

    void admit(Decision.Admit decision, Instant now) {
        var queueName = decision.workload().queue();
        var key = Workloads.key(decision.workload().key());
        var before = writer.require(key);
        var queue = writer.cluster().find(Kinds.CLUSTER_QUEUE.key("", queueName));
        var flavors =
                decision.assignment().flavors().values().stream()
                        .flatMap(m -> m.values().stream())
                        .distinct()
                        .toList();
        var needed = Checks.needed(queue.orElseThrow(), flavors);
        for (var old : decision.replaced()) {
            replace(old, before, now);
        }
        var after = writer.status(key, json -> reserve(json, decision, needed, now));
        after.ifPresent(w -> tell(w, before, decision, now));
    }

    private void reserve(
            ObjectNode json, Decision.Admit decision, List<String> needed, Instant now) {
        var queueName = decision.workload().queue();
        var status = json.withObjectProperty("status");
        status.remove("resourceRequests");
        put(status.putObject("admission").put("clusterQueue", queueName), decision.assignment());
        Conditions.put(
                json,
                Marks.QUOTA_RESERVED,
                true,
                "QuotaReserved",
                "Quota reserved in ClusterQueue " + queueName,
                now);
        Writer.previously(json, Marks.EVICTED, "QuotaReserved", now);
        Writer.previously(json, Marks.PREEMPTED, "QuotaReserved", now);
        Checks.align(json, needed, now);
        if (Checks.ready(new Resource(json), needed)) {
            Conditions.put(json, Marks.ADMITTED, true, "Admitted", "The workload is admitted", now);
        }
    }

    private static void put(ObjectNode admission, Assignment assignment) {
        var list = admission.putArray("podSetAssignments");
        for (var choice : assignment.podSets()) {
            var node = list.addObject().put("name", choice.name());
            var flavors = node.putObject("flavors");
            choice.flavors().forEach(flavors::put);
            var usage = node.putObject("resourceUsage");
            choice.requests().forEach((r, n) -> usage.put(r, Amounts.quantity(r, n).toString()));
            node.put("count", choice.count());
        }
    }

    private void tell(Resource workload, Resource before, Decision.Admit decision, Instant now) {
        var queue = decision.workload().queue();
        var since =
                Optional.of(before)
                        .filter(w -> w.is(Marks.EVICTED))
                        .flatMap(w -> Writer.since(w, Marks.EVICTED))
                        .or(before::created)
                        .orElse(now);
        var text =
                "Quota reserved in ClusterQueue %s, wait time since queued was %ds"
                        .formatted(queue, Duration.between(since, now).toSeconds());
        if (state.rules().flavorsConsidered() && !decision.considered().isEmpty()) {
            text += "; Flavors considered: " + decision.considered();
        }
        events.normal(workload, "QuotaReserved", text);
        if (workload.is(Marks.ADMITTED)) {
            events.normal(
                    workload,
                    "Admitted",
                    "Admitted by ClusterQueue %s, wait time since reservation was 0s"
                            .formatted(queue));
        }
    }

    private void replace(String old, Resource slice, Instant now) {
        writer.status(
                Workloads.key(old),
                json ->
                        Conditions.put(
                                json,
                                Marks.FINISHED,
                                true,
                                "WorkloadSliceReplaced",
                                "Replaced to accommodate a workload (UID: %s, JobUID: %s) due to workload slice aggregation"
                                        .formatted(slice.uid(), Workloads.jobUid(slice)),
                                now));
    }
}
