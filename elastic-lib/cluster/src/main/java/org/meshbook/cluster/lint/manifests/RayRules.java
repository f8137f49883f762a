package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;
import static org.meshbook.cluster.lint.rule.Severity.INFO;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.List;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Severity;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;

/// Rules about RayJobs in a queue, and about the capacity that they ask for.
final class RayRules {
    static final String TPU = "google.com/tpu";
    private static final String ELASTIC = "kueue.x-k8s.io/elastic-job";
    private static final String WEBHOOK =
            "admission webhook \"vrayjob.kb.io\" denied the request: ";

    private RayRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "RJ001",
                        WARNING,
                        "a RayJob that wants to grow",
                        "turn on the gate ElasticJobsViaWorkloadSlices, or drop"
                                + " enableInTreeAutoscaling and the annotation",
                        RayRules::elastic),
                new Rule(
                        "RJ002",
                        WARNING,
                        "an autoscaler beside the Ray head that needs quota of its own",
                        "raise the quota of the head's flavor by 500m cpu and 512Mi for each job",
                        RayRules::sidecar),
                new Rule(
                        "RJ003",
                        WARNING,
                        "replicas that the first flavor never has room for",
                        "lower maxReplicas, or raise the quota",
                        RayRules::growth),
                new Rule(
                        "RJ005",
                        ERROR,
                        "a queued RayJob whose cluster stays",
                        "write `shutdownAfterJobFinishes: true`",
                        RayRules::shutdown),
                new Rule(
                        "PR001",
                        WARNING,
                        "provisioned nodes that the pods are not bound to",
                        "add `podSetUpdates: {nodeSelector: [{key:"
                                + " autoscaling.gke.io/provisioning-request,"
                                + " valueFromProvisioningClassDetail: ResizeRequestName}]}`",
                        RayRules::podSetUpdates),
                new Rule(
                        "PR002",
                        WARNING,
                        "queued provisioning of TPUs",
                        "check that your GKE release offers it before you rely on it",
                        RayRules::queuedTpus),
                new Rule(
                        "PR003",
                        INFO,
                        "no word about what becomes of a request that fails",
                        "add `retryStrategy: {backoffLimitCount: 3, backoffBaseSeconds: 60,"
                                + " backoffMaxSeconds: 1800}`",
                        RayRules::retryStrategy));
    }

    private static Stream<Work> queued(Subject subject) {
        return Work.in(subject)
                .filter(w -> w.item().is(Kinds.RAY_JOB))
                .filter(w -> !w.meantQueue().isEmpty());
    }

    private static Value cluster(Item item) {
        return item.at("spec", "rayClusterSpec");
    }

    private static Stream<Finding> elastic(Rule rule, Subject subject) {
        return queued(subject)
                .map(Work::item)
                .filter(
                        i ->
                                cluster(i).at("enableInTreeAutoscaling").isTrue()
                                        || i.at("metadata", "annotations", ELASTIC)
                                                .text()
                                                .equals("true"))
                .map(item -> elastic(rule, item, subject.kueue()));
    }

    private static Finding elastic(Rule rule, Item item, Profile kueue) {
        var annotation = item.at("metadata", "annotations", ELASTIC);
        var scaling = cluster(item).at("enableInTreeAutoscaling");
        boolean refused =
                scaling.isTrue() && (kueue != Profile.V0_19 || !annotation.text().equals("true"));
        var place = annotation.exists() ? annotation : scaling;
        if (refused) {
            return rule.at(
                            item,
                            place,
                            "Kueue %s refuses this RayJob unless the gate ElasticJobsViaWorkloadSlices is on%s"
                                    .formatted(
                                            kueue.text(),
                                            annotation.exists()
                                                    ? ""
                                                    : " and it has the annotation " + ELASTIC))
                    .as(Severity.ERROR)
                    .verdict(
                            WEBHOOK
                                    + "spec.rayClusterSpec.enableInTreeAutoscaling: Invalid value:"
                                    + " true: a kueue managed job should only use autoscaling when"
                                    + " workload slicing is enabled");
        }
        return rule.at(item, place, "the job can only grow on the flavor that it got first")
                .verdict(
                        kueue == Profile.V0_19
                                ? "accepted; the gate is on by default; a larger slice that does"
                                        + " not fit there waits: couldn't assign flavors to pod set"
                                        + " …: flavor … doesn't match node affinity"
                                : "accepted; without the gate ElasticJobsViaWorkloadSlices the"
                                        + " annotation means nothing");
    }

    private static Stream<Finding> sidecar(Rule rule, Subject subject) {
        return queued(subject)
                .filter(w -> cluster(w.item()).at("enableInTreeAutoscaling").isTrue())
                .map(
                        w -> {
                            var head = w.pods().getFirst();
                            var cpu = head.total("cpu").plus(Quantity.milli(500));
                            boolean counted = subject.kueue() == Profile.V0_19;
                            return rule.at(
                                            w.item(),
                                            cluster(w.item()).at("enableInTreeAutoscaling"),
                                            "the autoscaler adds 500m cpu and 512Mi to the head: %s cpu in all"
                                                    .formatted(cpu))
                                    .verdict(
                                            counted
                                                    ? "accepted; Kueue counts it: fewer jobs fit"
                                                            + " the head's flavor"
                                                    : "accepted; Kueue %s does not count it: the head really uses more than its quota"
                                                            .formatted(subject.kueue().text()));
                        });
    }

    private static Stream<Finding> growth(Rule rule, Subject subject) {
        return queued(subject)
                .flatMap(
                        w ->
                                Queue.of(w, subject).stream()
                                        .flatMap(
                                                q ->
                                                        groups(w)
                                                                .flatMap(
                                                                        g ->
                                                                                growth(
                                                                                        rule, w, g,
                                                                                        q))));
    }

    private static Stream<Value> groups(Work work) {
        return cluster(work.item()).at("workerGroupSpecs").items().stream();
    }

    /// The flavor that a job gets first is the only one that it can grow on.
    private static Stream<Finding> growth(Rule rule, Work work, Value group, Queue queue) {
        long hosts = group.at("numOfHosts").number(1);
        long most = group.at("maxReplicas").number(1);
        var now = new PodSet("now", group.at("replicas").number(1) * hosts, group.at("template"));
        var then = new PodSet("then", most * hosts, group.at("template"));
        return queue
                .flavors()
                .filter(f -> fits(now, f))
                .findFirst()
                .filter(f -> !fits(then, f))
                .map(
                        f ->
                                rule.at(
                                                work.item(),
                                                group.at("maxReplicas"),
                                                "%d replicas never fit flavor \"%s\", which the first one gets"
                                                        .formatted(most, f.at("name").text()))
                                        .verdict(
                                                "the larger slice waits for ever: insufficient unused quota in flavor %s; no other flavor matches its pods, which carry that one's node label"
                                                        .formatted(f.at("name").text())))
                .stream();
    }

    private static boolean fits(PodSet pods, Value flavor) {
        return pods.requests().keySet().stream()
                .allMatch(
                        name ->
                                flavor.at("resources").items().stream()
                                        .filter(r -> r.at("name").text().equals(name))
                                        .anyMatch(
                                                r ->
                                                        pods.total(name)
                                                                        .compareTo(
                                                                                Amount.of(
                                                                                        r.at(
                                                                                                "nominalQuota")))
                                                                <= 0));
    }

    private static Stream<Finding> shutdown(Rule rule, Subject subject) {
        return queued(subject)
                .filter(w -> !w.item().at("spec", "shutdownAfterJobFinishes").isTrue())
                .map(
                        w ->
                                rule.at(
                                                w.item(),
                                                w.item().at("spec", "shutdownAfterJobFinishes"),
                                                "the cluster stays after the job, and its quota"
                                                        + " with it")
                                        .verdict(
                                                WEBHOOK
                                                        + "spec.shutdownAfterJobFinishes: Invalid"
                                                        + " value: false: a kueue managed job"
                                                        + " should delete the cluster after"
                                                        + " finishing"));
    }

    private static Stream<Item> configs(Subject subject) {
        return subject.items(Kinds.PROVISIONING_REQUEST_CONFIG);
    }

    private static Stream<Finding> podSetUpdates(Rule rule, Subject subject) {
        return configs(subject)
                .filter(c -> !c.at("spec", "podSetUpdates").exists())
                .map(
                        c ->
                                rule.at(
                                                c,
                                                c.at("spec"),
                                                "no podSetUpdates: pods find the granted nodes by"
                                                        + " the pool's label only")
                                        .verdict(
                                                "accepted; another pod may take the nodes that were"
                                                        + " granted"));
    }

    private static Stream<Finding> queuedTpus(Rule rule, Subject subject) {
        return configs(subject)
                .filter(
                        c ->
                                c.text("spec", "provisioningClassName")
                                        .equals("queued-provisioning.gke.io"))
                .filter(
                        c ->
                                c.at("spec", "managedResources").items().stream()
                                        .anyMatch(r -> r.text().equals(TPU)))
                .map(
                        c ->
                                rule.at(
                                                c,
                                                c.at("spec", "provisioningClassName"),
                                                "node pools with queued provisioning and flex-start"
                                                        + " may not be offered for TPUs")
                                        .verdict(
                                                "unsure: in December 2025 a change to xpk quoted"
                                                        + " GKE refusing it; documents after that show"
                                                        + " it"));
    }

    private static Stream<Finding> retryStrategy(Rule rule, Subject subject) {
        return configs(subject)
                .filter(c -> !c.at("spec", "retryStrategy").exists())
                .map(
                        c ->
                                rule.at(c, c.at("spec"), "no retryStrategy")
                                        .verdict(
                                                "accepted; 3 retries, 60 s doubling up to 1800 s,"
                                                        + " then the check is Rejected and the workload"
                                                        + " deactivated"));
    }
}
