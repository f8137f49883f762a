package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.control.EventRecorder;
import tools.jackson.databind.node.ObjectNode;

/// The two steps by which a workload loses its quota.
final class Eviction {
    private static final List<String> COMES_BACK_AT_ONCE = List.of(Marks.PREEMPTED, "NodeFailures");

    private Eviction() {}

    /// First step: says that it has to go. Its quota stays until its pods are gone.
    ///
    /// @param cause the check or limit behind it, for the statistics; often empty
    static void begin(
            ObjectNode workload, String reason, String message, String cause, Instant now) {
        Conditions.put(workload, Marks.EVICTED, true, reason, message, now);
        Checks.reset(workload, now);
        count(workload, reason, cause);
    }

    private static void count(ObjectNode workload, String reason, String cause) {
        var evictions =
                workload.withObjectProperty("status")
                        .withObjectProperty("schedulingStats")
                        .withArrayProperty("evictions");
        for (var entry : evictions) {
            if (Specs.text(entry, "reason").equals(reason)
                    && Specs.text(entry, "underlyingCause").equals(cause)) {
                ((ObjectNode) entry).put("count", entry.path("count").asInt(0) + 1);
                return;
            }
        }
        evictions.addObject().put("reason", reason).put("underlyingCause", cause).put("count", 1);
    }

    static void tell(EventRecorder events, Resource workload, String reason, String message) {
        events.normal(workload, "EvictedDueTo" + reason, message);
    }

    /// Second step: the pods are gone, the quota is given back.
    static void complete(Writer writer, Resource workload, Instant now) {
        var reason = Writer.reason(workload, Marks.EVICTED);
        var message = Writer.message(workload, Marks.EVICTED);
        writer.status(
                workload.key(),
                json -> {
                    releaseQuota(json, "Pending", message, now);
                    Conditions.put(
                            json,
                            Marks.REQUEUED,
                            COMES_BACK_AT_ONCE.contains(reason),
                            reason,
                            message,
                            now);
                });
    }

    /// Says why a workload has no quota, and takes away what it had.
    static void releaseQuota(ObjectNode workload, String reason, String message, Instant now) {
        var before = new Resource(workload);
        Conditions.put(workload, Marks.QUOTA_RESERVED, false, reason, message, now);
        if (before.at("status", "admission").isMissingNode()) {
            return;
        }
        var status = workload.withObjectProperty("status");
        status.remove("admission");
        if (before.is(Marks.ADMITTED)) {
            long ran =
                    Writer.since(before, Marks.ADMITTED)
                            .map(since -> Duration.between(since, now).toSeconds())
                            .orElse(0L);
            var field = "accumulatedPastExecutionTimeSeconds";
            status.put(field, status.path(field).asLong(0) + ran);
        }
        if (before.condition(Marks.ADMITTED).isPresent()) {
            Conditions.put(
                    workload,
                    Marks.ADMITTED,
                    false,
                    "NoReservation",
                    "The workload has no reservation",
                    now);
        }
        Checks.reset(workload, now);
    }

    static Consumer<ObjectNode> edit(String reason, String message, String cause, Instant now) {
        return json -> begin(json, reason, message, cause, now);
    }
}
