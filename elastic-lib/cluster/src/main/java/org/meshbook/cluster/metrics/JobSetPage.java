package org.meshbook.cluster.metrics;

import static org.meshbook.cluster.metrics.Exposition.labels;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.metrics.Exposition.Type;
import org.meshbook.cluster.metrics.JobSetFigures.Life;

/// Writes what is known of JobSets.
///
/// Names: `kube_jobset_` as in GKE's package of JobSet metrics, `jobset_` as JobSet's own
/// controller, `kubernetes_io:jobset_` as PromQL calls GKE's system metrics.
final class JobSetPage {
    private final Exposition out;
    private final List<Life> lives;

    JobSetPage(Exposition out, List<Life> lives) {
        this.out = out;
        this.lives = lives;
    }

    void write(Instant now) {
        replicas();
        restarts();
        ends();
        uptime(now);
    }

    private void replicas() {
        replicas("specified", "Replicas of a replicated job that its JobSet asks for.", "");
        replicas("active", "Jobs of a replicated job that have pods.", "active");
        replicas("ready", "Jobs of a replicated job whose pods are all ready.", "ready");
        replicas("succeeded", "Jobs of a replicated job that are complete.", "succeeded");
        replicas("failed", "Jobs of a replicated job that failed.", "failed");
        replicas("suspended", "Jobs of a replicated job that are suspended.", "suspended");
    }

    /// @param field of its status; `""` for what its spec says
    private void replicas(String what, String help, String field) {
        var name = "kube_jobset_" + what + "_replicas";
        out.family(name, Type.GAUGE, help);
        for (var life : lives) {
            var path = field.isEmpty() ? "spec/replicatedJobs" : "status/replicatedJobsStatus";
            for (var job : life.set().list(path.split("/"))) {
                var labels = new LinkedHashMap<>(named(life));
                labels.put("replicatedjob_name", job.path("name").asString(""));
                int value =
                        field.isEmpty() ? job.path("replicas").asInt(1) : job.path(field).asInt(0);
                out.sample(name, labels, value);
            }
        }
    }

    private void restarts() {
        one(
                "kube_jobset_restarts",
                Type.GAUGE,
                "Times that a JobSet was started anew.",
                life -> life.set().at("status", "restarts").asInt(0));
        one(
                "meshbook_jobset_up",
                Type.GAUGE,
                "Whether all pods of a JobSet are ready that should be.",
                life -> life.uptime.up() ? 1 : 0);
        one(
                "meshbook_jobset_interruptions_total",
                Type.COUNTER,
                "Times that a JobSet was up and then was not, before it had ended.",
                life -> life.uptime.interruptions());
        out.family(
                "kube_jobset_status_condition",
                Type.GAUGE,
                "Conditions of a JobSet that are True.");
        for (var life : lives) {
            for (var type : conditions(life.set())) {
                var labels = new LinkedHashMap<>(named(life));
                labels.put("condition", type);
                labels.put("status", "true");
                out.sample("kube_jobset_status_condition", labels, 1);
            }
        }
    }

    private static List<String> conditions(Resource set) {
        var held = new ArrayList<String>();
        for (var condition : set.list("status", "conditions")) {
            if (condition.path("status").asString("").equals("True")) {
                held.add(condition.path("type").asString(""));
            }
        }
        return held;
    }

    private void ends() {
        one(
                "jobset_completed_total",
                Type.COUNTER,
                "JobSets that completed.",
                life -> life.set().is("Completed") ? 1 : 0);
        one(
                "jobset_failed_total",
                Type.COUNTER,
                "JobSets that failed.",
                life -> life.set().is("Failed") ? 1 : 0);
    }

    private void one(String name, Type type, String help, Function<Life, Number> value) {
        out.family(name, type, help);
        lives.forEach(life -> out.sample(name, named(life), value.apply(life).doubleValue()));
    }

    private static Map<String, String> named(Life life) {
        return labels("namespace", life.set().namespace(), "jobset_name", life.set().name());
    }

    private void uptime(Instant now) {
        var uptime = "kubernetes_io:jobset_uptime";
        out.family(uptime, Type.GAUGE, "Time for which a JobSet was up, in seconds.");
        lives.forEach(
                life ->
                        out.sample(
                                uptime, entity(life), Histogram.seconds(life.uptime.total(now))));
        var recover = "kubernetes_io:jobset_times_to_recover";
        out.family(
                recover,
                Type.HISTOGRAM,
                "Times from an interruption of a JobSet until it was up again, in seconds.");
        lives.forEach(life -> life.uptime.recoveries.write(out, recover, entity(life)));
        var between = "kubernetes_io:jobset_times_between_interruptions";
        out.family(
                between,
                Type.HISTOGRAM,
                "Times from the end of an interruption to the next one, in seconds.");
        lives.forEach(life -> life.uptime.between.write(out, between, entity(life)));
    }

    private static Map<String, String> entity(Life life) {
        return labels(
                "monitored_resource",
                "k8s_entity",
                "entity_type",
                "jobset",
                "namespace_name",
                life.set().namespace(),
                "entity_name",
                life.set().name());
    }
}
