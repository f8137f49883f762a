package org.meshbook.cluster.outlook;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.print.Age;

/// Why a job waits: what Kueue says, who stands before it, who holds what it wants, and what would
/// change it.
public final class Why {
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";
    private static final int SHOWN = 10;

    private final Cluster cluster;
    private final Snapshot snapshot;
    private final Resource job;
    private final List<Cause> causes = new ArrayList<>();

    private Why(Cluster cluster, Snapshot snapshot, Resource job) {
        this.cluster = cluster;
        this.snapshot = snapshot;
        this.job = job;
    }

    /// @param cluster where pods, events and requests for nodes are read
    /// @param snapshot its queue
    /// @param job a job
    /// @return the causes, the first one the most important; never empty
    public static List<Cause> of(Cluster cluster, Snapshot snapshot, Resource job) {
        var why = new Why(cluster, snapshot, job);
        why.ask();
        return List.copyOf(why.causes);
    }

    private void say(Code code, String text, Object... with) {
        causes.add(new Cause(code, with.length == 0 ? text : text.formatted(with)));
    }

    private void ask() {
        // 1. is it queued at all
        var queue = job.labels().getOrDefault(QUEUE, "");
        if (queue.isEmpty()) {
            say(
                    Code.NOT_QUEUED,
                    "%s is not queued: it has no label %s, so it runs as soon as nodes have room",
                    job.name(),
                    QUEUE);
            pods();
            return;
        }
        var workload = snapshot.workloadOf(job).orElse(null);
        if (workload == null) {
            unborn(queue);
            return;
        }
        // 2. where it stands
        if (workload.is("Finished")) {
            say(Code.FINISHED, "%s has ended: %s", job.name(), Jobs.message(workload, "Finished"));
        } else if (workload.is("Evicted") && snapshot.reserves(workload)) {
            leaving(workload);
        } else if (workload.is("Admitted")) {
            say(
                    Code.RUNNING,
                    "%s does not wait: %s",
                    job.name(),
                    Jobs.message(workload, "Admitted"));
            pods();
        } else if (snapshot.reserves(workload)) {
            checks(workload);
        } else {
            waits(workload, queue);
        }
        // 3. what keeps happening to it
        causes.addAll(Evictions.cycles(cluster, workload, job.name()));
    }

    private void unborn(String queue) {
        var priority = job.labels().getOrDefault(PRIORITY_CLASS, "");
        if (!priority.isEmpty()
                && cluster.find(Kinds.WORKLOAD_PRIORITY_CLASS.key("", priority)).isEmpty()) {
            say(
                    Code.PRIORITY_CLASS_MISSING,
                    "%s has no workload: its WorkloadPriorityClass '%s' does not exist; create it,"
                            + " or take the label %s off",
                    job.name(),
                    priority,
                    PRIORITY_CLASS);
            return;
        }
        say(
                Code.NO_WORKLOAD,
                "%s has no workload yet; if it stays so, its priority class or its queue '%s' does"
                        + " not exist",
                job.name(),
                queue);
    }

    // ---- without quota

    private void waits(Resource workload, String queue) {
        if (!workload.at("spec", "active").asBoolean(true)) {
            say(
                    Code.DEACTIVATED,
                    "%s was taken out of the queue: %s; it goes on once spec.active of workload %s"
                            + " is true",
                    job.name(),
                    text(Jobs.message(workload, "Evicted"), "its workload is not active"),
                    workload.name());
            return;
        }
        var at = workload.time("status", "requeueState", "requeueAt").orElse(Instant.EPOCH);
        if (Jobs.isFalse(workload, "Requeued") && at.isAfter(snapshot.now())) {
            say(
                    Code.BACK_OFF,
                    "%s is tried again in %s, for the %d. time: %s",
                    job.name(),
                    Age.of(Duration.between(snapshot.now(), at)),
                    workload.at("status", "requeueState", "count").asInt(1),
                    Jobs.message(workload, "Requeued"));
            return;
        }
        var obstacle = snapshot.obstacle(workload);
        var message = obstacle.isEmpty() ? Jobs.message(workload, "QuotaReserved") : obstacle;
        var code = Code.of(message);
        say(
                code,
                "%s waits in queue '%s': %s",
                job.name(),
                queue,
                text(message, "nobody has looked at it yet"));
        if (code == Code.CLUSTER_QUEUE_INACTIVE) {
            snapshot.find(Kinds.CLUSTER_QUEUE.key("", snapshot.clusterQueue(workload)))
                    .map(found -> Jobs.message(found, "Active"))
                    .filter(told -> !told.isEmpty())
                    .ifPresent(told -> say(code, "%s", told));
        }
        if (obstacle.isEmpty()) {
            place(workload);
            holders(workload);
        }
    }

    private static String text(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    private void place(Resource workload) {
        var queue = snapshot.clusterQueue(workload);
        var waiting = snapshot.state().waiting(queue);
        int ahead = 0;
        while (ahead < waiting.size() && !waiting.get(ahead).key().equals(workload.key().path())) {
            ahead++;
        }
        if (ahead == waiting.size()) {
            return;
        }
        boolean strict = snapshot.state().find(queue).filter(spec -> spec.strict()).isPresent();
        if (ahead > 0) {
            var names =
                    waiting.subList(0, Math.min(ahead, SHOWN)).stream()
                            .flatMap(w -> Stream.ofNullable(snapshot.workloads().get(w.key())))
                            .map(w -> "%s (priority %d)".formatted(Jobs.name(w), priority(w)))
                            .collect(Collectors.joining(", "));
            say(
                    strict ? Code.BEHIND_HEAD : Code.QUOTA_IN_USE,
                    "%d before it in cluster queue '%s': %s%s%s",
                    ahead,
                    queue,
                    names,
                    ahead > SHOWN ? ", ..." : "",
                    strict ? "; StrictFIFO lets nobody past" : "");
        } else {
            say(Code.QUOTA_IN_USE, "nobody is before it in cluster queue '%s'", queue);
        }
        var estimate = Estimate.all(snapshot).get(workload.key().path());
        if (estimate != null && estimate.time().isPresent()) {
            say(Code.QUOTA_IN_USE, "its turn comes %s", estimate.text());
        }
    }

    private static int priority(Resource workload) {
        return workload.at("spec", "priority").asInt(0);
    }

    private void holders(Resource workload) {
        var holders = Holder.of(snapshot, snapshot.clusterQueue(workload));
        if (holders.isEmpty()) {
            return;
        }
        var leaving =
                holders.stream()
                        .filter(h -> h.held().evicted())
                        .flatMap(h -> Evictions.terminating(cluster, h.workload()).stream())
                        .toList();
        if (!leaving.isEmpty()) {
            terminating(leaving);
        }
        say(
                Code.QUOTA_IN_USE,
                "held by %s%s",
                holders.stream()
                        .limit(SHOWN)
                        .map(h -> h.text(snapshot.now()))
                        .collect(Collectors.joining(", ")),
                holders.size() > SHOWN ? ", and %d more".formatted(holders.size() - SHOWN) : "");
        say(Code.QUOTA_IN_USE, "it goes on when they end, or: %s", holders.getLast().remedy());
    }

    private void terminating(List<Resource> pods) {
        say(
                Code.PODS_TERMINATING,
                "waiting for %d terminating pod%s: %s; to end them now: %s",
                pods.size(),
                pods.size() == 1 ? "" : "s",
                pods.stream().limit(SHOWN).map(Resource::name).collect(Collectors.joining(", ")),
                "%%delete pod %s --now"
                        .formatted(
                                pods.stream()
                                        .limit(SHOWN)
                                        .map(Resource::name)
                                        .collect(Collectors.joining(" "))));
    }

    // ---- with quota

    private void leaving(Resource workload) {
        say(
                Code.PREEMPTING,
                "%s loses its quota: %s",
                job.name(),
                Jobs.message(workload, "Evicted"));
        var pods = Evictions.terminating(cluster, workload);
        if (!pods.isEmpty()) {
            terminating(pods);
        }
    }

    private void checks(Resource workload) {
        boolean any = false;
        for (var check : workload.list("status", "admissionChecks")) {
            var name = check.path("name").asString("");
            var state = check.path("state").asString("");
            if (state.equals("Ready")) {
                continue;
            }
            any = true;
            say(
                    state.equals("Pending") ? Code.CHECK_PENDING : Code.CHECK_FAILED,
                    "%s has its quota and waits for check '%s' (%s) %s",
                    job.name(),
                    name,
                    state,
                    check.path("message").asString("").strip());
        }
        if (!any) {
            say(Code.CHECK_PENDING, "%s has its quota and is about to be admitted", job.name());
            return;
        }
        capacity(workload).ifPresent(causes::add);
    }

    /// A request for nodes that nobody grants: since when, and what was passed over.
    private Optional<Cause> capacity(Resource workload) {
        return cluster.ownedBy(workload, Kinds.PROVISIONING_REQUEST).stream()
                .filter(request -> !request.is("Provisioned") && !request.is("Failed"))
                .reduce((_, last) -> last)
                .map(request -> Capacity.of(cluster, snapshot, workload, request));
    }

    // ---- its pods

    private void pods() {
        causes.addAll(Placement.of(cluster, job, snapshot.now()));
    }
}
