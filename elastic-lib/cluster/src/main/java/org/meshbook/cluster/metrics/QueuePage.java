package org.meshbook.cluster.metrics;

import static org.meshbook.cluster.metrics.Exposition.labels;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.metrics.Exposition.Type;
import org.meshbook.cluster.metrics.QueueFigures.Counts;
import org.meshbook.cluster.metrics.QueueFigures.Stage;
import tools.jackson.databind.JsonNode;

/// Writes what is known of queues, by the names of Kueue's own metrics.
///
/// Source: https://kueue.sigs.k8s.io/docs/reference/metrics/
final class QueuePage {
    private final Exposition out;
    private final QueueFigures figures;
    private final Map<String, Map<Stage, Long>> stages;

    QueuePage(Exposition out, QueueFigures figures) {
        this.out = out;
        this.figures = figures;
        stages = figures.stages();
    }

    void write() {
        workloads();
        counters();
        status();
        quota();
        used("reservation", "flavorsReservation");
        used("usage", "flavorsUsage");
    }

    private void workloads() {
        var pending = "kueue_pending_workloads";
        family(
                pending,
                Type.GAUGE,
                "Workloads that wait: active ones are tried, inadmissible ones when the cluster"
                        + " changes.",
                (name, _) -> {
                    for (var stage : new Stage[] {Stage.ACTIVE, Stage.INADMISSIBLE}) {
                        var status = stage == Stage.ACTIVE ? "active" : "inadmissible";
                        out.sample(
                                pending,
                                labels("cluster_queue", name, "status", status),
                                at(name, stage));
                    }
                });
        each(
                "kueue_reserving_active_workloads",
                Type.GAUGE,
                "Workloads that hold quota and have not finished.",
                name -> at(name, Stage.RESERVING) + at(name, Stage.ADMITTED));
        each(
                "kueue_admitted_active_workloads",
                Type.GAUGE,
                "Workloads that are admitted and have not finished.",
                name -> at(name, Stage.ADMITTED));
    }

    private long at(String queue, Stage stage) {
        return stages.getOrDefault(queue, Map.of()).getOrDefault(stage, 0L);
    }

    private void counters() {
        each(
                "kueue_quota_reserved_workloads_total",
                Type.COUNTER,
                "Times that a workload got its quota.",
                name -> counts(name).reserved);
        each(
                "kueue_admitted_workloads_total",
                Type.COUNTER,
                "Times that a workload was admitted.",
                name -> counts(name).admitted);
        var waits = "kueue_admission_wait_time_seconds";
        family(
                waits,
                Type.HISTOGRAM,
                "Times from when a workload was created or queued again until it was admitted.",
                (name, _) -> counts(name).waits.write(out, waits, labels("cluster_queue", name)));
        var reserved = "kueue_quota_reserved_wait_time_seconds";
        family(
                reserved,
                Type.HISTOGRAM,
                "Times from when a workload was created or queued again until it got its quota.",
                (name, _) ->
                        counts(name)
                                .reservationWaits
                                .write(out, reserved, labels("cluster_queue", name)));
        losses();
    }

    private void losses() {
        var evicted = "kueue_evicted_workloads_total";
        family(
                evicted,
                Type.COUNTER,
                "Times that a workload lost its quota, and why.",
                (name, _) ->
                        counts(name)
                                .evicted
                                .forEach(
                                        (loss, times) ->
                                                out.sample(
                                                        evicted,
                                                        labels(
                                                                "cluster_queue",
                                                                name,
                                                                "reason",
                                                                loss.reason(),
                                                                "underlying_cause",
                                                                loss.cause()),
                                                        times)));
        var preempted = "kueue_preempted_workloads_total";
        family(
                preempted,
                Type.COUNTER,
                "Times that a workload lost its quota to one of this queue, and by which rule.",
                (name, _) ->
                        counts(name)
                                .preempted
                                .forEach(
                                        (reason, times) ->
                                                out.sample(
                                                        preempted,
                                                        labels(
                                                                "preempting_cluster_queue",
                                                                name,
                                                                "reason",
                                                                reason),
                                                        times)));
    }

    private Counts counts(String queue) {
        return figures.counts(queue);
    }

    private void status() {
        var name = "kueue_cluster_queue_status";
        family(
                name,
                Type.GAUGE,
                "Which status a cluster queue has.",
                (queue, object) -> {
                    var is =
                            object.deleting()
                                    ? "terminating"
                                    : object.is("Active") ? "active" : "pending";
                    for (var status : new String[] {"pending", "active", "terminating"}) {
                        out.sample(
                                name,
                                labels("cluster_queue", queue, "status", status),
                                status.equals(is) ? 1 : 0);
                    }
                });
    }

    private void quota() {
        quota("nominal_quota", "nominalQuota", "What a cluster queue has of its own.");
        quota("borrowing_limit", "borrowingLimit", "What a cluster queue may borrow.");
        quota("lending_limit", "lendingLimit", "What a cluster queue lends.");
    }

    private void quota(String what, String field, String help) {
        var name = "kueue_cluster_queue_" + what;
        family(
                name,
                Type.GAUGE,
                help,
                (_, queue) -> {
                    for (var group : queue.list("spec", "resourceGroups")) {
                        group.path("flavors")
                                .forEach(flavor -> amounts(name, queue, flavor, field));
                    }
                });
    }

    private void used(String what, String field) {
        var name = "kueue_cluster_queue_resource_" + what;
        family(
                name,
                Type.GAUGE,
                what.equals("usage")
                        ? "What admitted workloads of a cluster queue use."
                        : "What workloads of a cluster queue hold.",
                (_, queue) ->
                        queue.list("status", field)
                                .forEach(flavor -> amounts(name, queue, flavor, "total")));
    }

    private void amounts(String name, Resource queue, JsonNode flavor, String field) {
        for (var resource : flavor.path("resources")) {
            if (resource.hasNonNull(field)) {
                out.sample(
                        name,
                        labels(
                                "cohort",
                                queue.text("spec", "cohortName"),
                                "cluster_queue",
                                queue.name(),
                                "flavor",
                                flavor.path("name").asString(""),
                                "resource",
                                resource.path("name").asString("")),
                        Quantity.parse(resource.path(field).asString("0")).amount().doubleValue());
            }
        }
    }

    private void each(String name, Type type, String help, ToLongFunction<String> value) {
        family(
                name,
                type,
                help,
                (queue, _) ->
                        out.sample(name, labels("cluster_queue", queue), value.applyAsLong(queue)));
    }

    private void family(String name, Type type, String help, BiConsumer<String, Resource> each) {
        out.family(name, type, help);
        figures.clusterQueues().forEach(queue -> each.accept(queue.name(), queue));
    }
}
