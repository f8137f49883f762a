package org.meshbook.cluster.kueue;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.embedded.Settings;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.node.ObjectNode;

/// Kueue on the embedded cluster, with nobody to run pods: a test says what becomes of jobs.
final class Stage implements AutoCloseable {
    final Rig rig;

    Stage(Rules rules) {
        this(rules, settings -> settings);
    }

    /// @param more changes the cluster's settings, such as its folder
    Stage(Rules rules, UnaryOperator<Settings> more) {
        var cluster = new AtomicReference<Cluster>();
        rig =
                Rig.with(
                        settings ->
                                more.apply(
                                        settings.withHooks(
                                                Kueue.hooks(
                                                        rules,
                                                        key ->
                                                                Optional.ofNullable(cluster.get())
                                                                        .flatMap(
                                                                                c ->
                                                                                        c.find(
                                                                                                key))))),
                        parts -> {
                            cluster.set(parts.cluster());
                            return new Kueue(parts.cluster(), parts.clock(), rules).controllers();
                        });
    }

    static Stage standard() {
        return as(Profile.V0_17);
    }

    static Stage as(Profile profile) {
        return new Stage(Rules.of(profile));
    }

    /// A flavor `vlp-24` with 24 chips, the queue `cluster-queue` and `multislice-queue` before it.
    Stage seed(String... more) {
        flavor("vlp-24");
        queue("cluster-queue", String.join(",", more), quota("vlp-24", 24));
        local("multislice-queue", "cluster-queue");
        rig.settle();
        return this;
    }

    static String quota(String flavor, int chips) {
        return "{name: '%s', resources: [{name: 'google.com/tpu', nominalQuota: '%d'}]}"
                .formatted(flavor, chips);
    }

    Stage flavor(String name) {
        rig.create(
                """
                {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ResourceFlavor',
                 metadata: {name: '%s'}, spec: {nodeLabels: {pool: '%s'}}}
                """
                        .formatted(name, name));
        return this;
    }

    Stage queue(String name, String more, String flavors) {
        rig.create(
                """
                {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ClusterQueue',
                 metadata: {name: '%s'},
                 spec: {namespaceSelector: {},
                   resourceGroups: [{coveredResources: ['google.com/tpu'], flavors: [%s]}]%s}}
                """
                        .formatted(name, flavors, more.isEmpty() ? "" : "," + more));
        return this;
    }

    Stage local(String name, String queue) {
        rig.create(
                """
                {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'LocalQueue',
                 metadata: {name: '%s'}, spec: {clusterQueue: '%s'}}
                """
                        .formatted(name, queue));
        return this;
    }

    /// A JobSet of slices of two pods with four chips each.
    Stage jobSet(String name, int slices, String podSpec) {
        rig.create(
                """
                {apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet',
                 metadata: {name: '%s', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue'}},
                 spec: {replicatedJobs: [{name: 'slice', replicas: %d,
                   template: {spec: {parallelism: 2, completions: 2, template: {spec: {%s
                     containers: [{name: 'c', image: 'i',
                       resources: {limits: {'google.com/tpu': '4'}}}]}}}}}]}}
                """
                        .formatted(name, slices, podSpec));
        rig.settle();
        return this;
    }

    Stage jobSet(String name, int slices) {
        return jobSet(name, slices, "");
    }

    /// A Job of one pod with some chips.
    Stage job(String name, int chips, String labels) {
        rig.create(
                """
                {apiVersion: 'batch/v1', kind: 'Job',
                 metadata: {name: '%s', labels: {'kueue.x-k8s.io/queue-name': 'multislice-queue' %s}},
                 spec: {parallelism: 1, completions: 1, template: {spec: {restartPolicy: 'Never',
                     containers: [{name: 'c', image: 'i',
                       resources: {limits: {'google.com/tpu': '%d'}}}]}}}}
                """
                        .formatted(name, labels, chips));
        rig.settle();
        return this;
    }

    Stage job(String name, int chips) {
        return job(name, chips, "");
    }

    Stage priorityClass(String name, int value, boolean global) {
        rig.create(
                """
                {apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass',
                 metadata: {name: '%s'}, value: %d, globalDefault: %b}
                """
                        .formatted(name, value, global));
        return this;
    }

    Stage workloadClass(String name, int value) {
        rig.create(
                """
                {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'WorkloadPriorityClass',
                 metadata: {name: '%s'}, value: %d}
                """
                        .formatted(name, value));
        return this;
    }

    Stage after(Duration time) {
        rig.advance(time);
        return this;
    }

    Stage seconds(int seconds) {
        return after(Duration.ofSeconds(seconds));
    }

    // ---- what becomes of jobs

    Stage status(ResourceKind kind, String name, Consumer<ObjectNode> edit) {
        rig.cluster().updateStatus(rig.at(kind, name).with(edit));
        rig.settle();
        return this;
    }

    /// Says that a JobSet has so many child jobs with pods.
    Stage pods(String jobSet, int active, int ready, int succeeded) {
        return status(
                Kinds.JOB_SET,
                jobSet,
                json -> {
                    var list = json.withObjectProperty("status").putArray("replicatedJobsStatus");
                    list.addObject()
                            .put("name", "slice")
                            .put("active", active)
                            .put("ready", ready)
                            .put("succeeded", succeeded)
                            .put("failed", 0)
                            .put("suspended", 0);
                });
    }

    Stage pods(String jobSet, int active, int ready) {
        return pods(jobSet, active, ready, 0);
    }

    Stage finish(ResourceKind kind, String name, String condition, String message) {
        return status(
                kind,
                name,
                json -> Conditions.put(json, condition, true, "Done", message, rig.now()));
    }

    Stage finish(String jobSet) {
        return finish(Kinds.JOB_SET, jobSet, "Completed", "jobset completed successfully");
    }

    // ---- what can be seen

    Resource workload(ResourceKind kind, String job) {
        var owner = rig.at(kind, job);
        var all = rig.cluster().ownedBy(owner, Kinds.WORKLOAD);
        return all.stream()
                .filter(w -> !w.is("Finished"))
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElseThrow(() -> new AssertionError("no workload of " + job));
    }

    Resource workload(String jobSet) {
        return workload(Kinds.JOB_SET, jobSet);
    }

    boolean runs(String jobSet) {
        return !rig.at(Kinds.JOB_SET, jobSet).at("spec", "suspend").asBoolean(false);
    }

    String why(String jobSet) {
        return Writer.message(workload(jobSet), "QuotaReserved");
    }

    /// `STATUS REASON MESSAGE` of a condition.
    static String condition(Resource object, String type) {
        return object.condition(type)
                .map(
                        c ->
                                "%s %s %s"
                                        .formatted(
                                                Specs.text(c, "status"),
                                                Specs.text(c, "reason"),
                                                Specs.text(c, "message")))
                .orElse("none");
    }

    /// `REASON: MESSAGE` of all events of an object, in their order.
    List<String> events(Resource object) {
        return rig.cluster().list(Kinds.EVENT, "").stream()
                .filter(e -> e.text("involvedObject", "uid").equals(object.uid()))
                .sorted(Comparator.comparingLong(Resource::resourceVersion))
                .map(e -> e.text("reason") + ": " + e.text("message"))
                .toList();
    }

    Stage edit(ResourceKind kind, String name, Consumer<ObjectNode> edit) {
        rig.cluster().update(rig.at(kind, name).with(edit), WriteOptions.PLAIN);
        rig.settle();
        return this;
    }

    @Override
    public void close() {
        rig.close();
    }
}
