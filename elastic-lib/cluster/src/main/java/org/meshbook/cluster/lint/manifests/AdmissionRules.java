package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;
import static org.meshbook.cluster.lint.rule.Severity.INFO;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Edit;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Severity;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;

/// Rules about how jobs and queues meet: labels, priorities, quotas.
final class AdmissionRules {
    private static final String MANAGED_BY = "kueue.x-k8s.io/managed-by";
    private static final String GROUP = "kueue.x-k8s.io/";

    private AdmissionRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "KQ005",
                        ERROR,
                        "a queue named by an annotation",
                        "move it to metadata.labels",
                        AdmissionRules::annotation),
                new Rule(
                        "KQ006",
                        WARNING,
                        "a priority class of Kueue on a pod template",
                        "delete it, or create a WorkloadPriorityClass and label the job",
                        AdmissionRules::podPriority),
                new Rule(
                        "KQ007",
                        INFO,
                        "a label that means nothing",
                        "delete it",
                        AdmissionRules::managedBy),
                new Rule(
                        "KQ008",
                        WARNING,
                        "a quota that holds one of two jobs with different priorities",
                        "raise the quota so that both are admitted, or let the higher one preempt",
                        AdmissionRules::hotSwap),
                new Rule(
                        "KQ009",
                        WARNING,
                        "a low priority above none",
                        "give the other jobs a class with a higher value",
                        AdmissionRules::lowAboveNone),
                new Rule(
                        "KQ013",
                        INFO,
                        "an older version of Kueue's API",
                        "write `kueue.x-k8s.io/v1beta2`",
                        AdmissionRules::oldVersion),
                new Rule(
                        "KQ015",
                        ERROR,
                        "a version that this Kueue does not serve",
                        "write `kueue.x-k8s.io/v1beta1`",
                        AdmissionRules::newVersion));
    }

    private static Stream<Finding> annotation(Rule rule, Subject subject) {
        boolean honoured = subject.kueue() == Profile.V0_14;
        return subject.items()
                .map(item -> new Keyed(item, item.at("metadata", "annotations", Work.QUEUE)))
                .filter(k -> k.value().exists())
                .map(
                        k ->
                                rule.at(k.item(), k.value(), "the queue is named by an annotation")
                                        .as(honoured ? Severity.WARNING : Severity.ERROR)
                                        .verdict(
                                                honoured
                                                        ? "honoured by Kueue 0.14, deprecated;"
                                                                + " ignored from 0.15 on"
                                                        : "ignored: the %s runs at once, in no queue (or in the queue `default`)"
                                                                .formatted(k.item().text("kind")))
                                        .edits(move(k)));
    }

    private record Keyed(Item item, Value value) {}

    private static Edit[] move(Keyed found) {
        var item = found.item();
        var gone = Texts.without(item.source(), found.value().key());
        var annotations = item.at("metadata", "annotations");
        if (gone.length == 0) {
            return gone;
        }
        if (annotations.fields().size() == 1) {
            gone = Texts.without(item.source(), annotations.key());
        }
        var line = "%s: %s".formatted(Work.QUEUE, found.value().text());
        var labels = item.at("metadata", "labels");
        int column = annotations.key().column() - 1;
        var first = labels.fields().values().stream().findFirst();
        var added =
                first.isPresent()
                        ? Texts.beside(item.source(), first.get().key(), line)
                        : labels.exists()
                                ? new Edit[0]
                                : new Edit[] {
                                    Edit.insertBefore(
                                            annotations.key().line(),
                                            " ".repeat(column)
                                                    + "labels:\n"
                                                    + " ".repeat(column + 2)
                                                    + line)
                                };
        if (added.length == 0 || gone.length == 0) {
            return new Edit[0];
        }
        return new Edit[] {added[0], gone[0]};
    }

    private static Stream<Keyed> labels(Subject subject, String key) {
        return subject.items()
                .flatMap(
                        item ->
                                item.document()
                                        .root()
                                        .all()
                                        .map(v -> v.at("metadata", "labels", key))
                                        .filter(Value::exists)
                                        .map(v -> new Keyed(item, v)));
    }

    private static Stream<Finding> podPriority(Rule rule, Subject subject) {
        var tops =
                subject.items().map(i -> i.at("metadata", "labels", Work.PRIORITY).key()).toList();
        return labels(subject, Work.PRIORITY)
                .filter(k -> !k.item().is(Kinds.POD))
                .filter(k -> tops.stream().noneMatch(p -> p.equals(k.value().key())))
                .map(
                        k -> {
                            var name = k.value().text();
                            boolean podClass =
                                    subject.items(Kinds.PRIORITY_CLASS)
                                            .anyMatch(c -> c.name().equals(name));
                            return rule.at(
                                            k.item(),
                                            k.value(),
                                            "on a pod template this label means nothing")
                                    .verdict(
                                            "accepted and ignored: the priority is that of"
                                                    + " priorityClassName"
                                                    + (podClass
                                                            ? "; on the job itself it would keep the Workload from being made: WorkloadPriorityClass.kueue.x-k8s.io \"%s\" not found"
                                                                    .formatted(name)
                                                            : ""))
                                    .edits(Texts.without(k.item().source(), k.value().key()));
                        });
    }

    private static Stream<Finding> managedBy(Rule rule, Subject subject) {
        return labels(subject, MANAGED_BY)
                .map(
                        k ->
                                rule.at(
                                                k.item(),
                                                k.value(),
                                                "Kueue knows no label %s".formatted(MANAGED_BY))
                                        .verdict(
                                                "accepted and ignored; Kueue itself sets"
                                                        + " kueue.x-k8s.io/managed: \"true\"")
                                        .edits(Texts.without(k.item().source(), k.value().key())));
    }

    /// Jobs of one queue with different priorities that do not fit beside each other, where the
    /// higher one may not preempt.
    private static Stream<Finding> hotSwap(Rule rule, Subject subject) {
        var found = new ArrayList<Finding>();
        Queue.in(subject)
                .filter(q -> !q.preemptsWithin(subject))
                .forEach(
                        queue -> {
                            var jobs =
                                    Work.in(subject)
                                            .filter(
                                                    w ->
                                                            Queue.of(w, subject)
                                                                    .filter(queue::equals)
                                                                    .isPresent())
                                            .sorted(Comparator.comparing(w -> w.priority(subject)))
                                            .toList();
                            if (jobs.size() > 1) {
                                hotSwap(rule, subject, queue, jobs, found);
                            }
                        });
        return found.stream();
    }

    private static void hotSwap(
            Rule rule, Subject subject, Queue queue, List<Work> jobs, List<Finding> found) {
        var low = jobs.getFirst();
        var high = jobs.getLast();
        for (var resource : queue.covered()) {
            var quota = queue.nominal(resource);
            var both = low.total(resource).plus(high.total(resource));
            boolean eachFits =
                    low.total(resource).compareTo(quota) <= 0
                            && high.total(resource).compareTo(quota) <= 0;
            if (low.priority(subject) < high.priority(subject)
                    && eachFits
                    && both.compareTo(quota) > 0
                    && !low.total(resource).isZero()) {
                var place =
                        queue.quotas(resource)
                                .findFirst()
                                .map(r -> r.at("nominalQuota"))
                                .orElse(queue.item().at("spec"));
                found.add(
                        rule.at(
                                        queue.item(),
                                        place,
                                        "%s %s: %s (%s) and %s (%s) are never admitted together"
                                                .formatted(
                                                        quota,
                                                        resource,
                                                        low.item().title(),
                                                        low.total(resource),
                                                        high.item().title(),
                                                        high.total(resource)))
                                .verdict(
                                        "only one is admitted; the higher one waits: insufficient unused quota for %s in flavor …; a swap of pods between them cannot happen"
                                                .formatted(resource))
                                .fix(
                                        "raise the quota to %s, or set `withinClusterQueue: LowerPriority`"
                                                .formatted(both)));
                return;
            }
        }
    }

    private static Stream<Finding> lowAboveNone(Rule rule, Subject subject) {
        boolean global =
                subject.items(Kinds.PRIORITY_CLASS).anyMatch(c -> c.at("globalDefault").isTrue());
        return subject.items(Kinds.PRIORITY_CLASS)
                .filter(c -> c.name().contains("low"))
                .filter(c -> c.at("value").number(0) > 0)
                .filter(c -> !global && besideNone(c.name(), subject))
                .map(
                        c ->
                                rule.at(
                                                c,
                                                c.at("value"),
                                                "\"%s\" is %d, jobs without a class have 0: the low one is the higher one"
                                                        .formatted(
                                                                c.name(), c.at("value").number(0)))
                                        .verdict(
                                                "accepted; where withinClusterQueue is"
                                                        + " LowerPriority it preempts the jobs without"
                                                        + " a class"));
    }

    /// Whether a job of that class shares its queue with one that has no class.
    private static boolean besideNone(String name, Subject subject) {
        var queues =
                Work.in(subject)
                        .filter(w -> w.priorityClass().equals(name))
                        .map(Work::meantQueue)
                        .filter(q -> !q.isEmpty())
                        .collect(Collectors.toSet());
        return Work.in(subject)
                .anyMatch(w -> w.priorityClass().isEmpty() && queues.contains(w.meantQueue()));
    }

    private static Stream<Item> ofKueue(Subject subject, String version) {
        return subject.items().filter(i -> i.text("apiVersion").equals(GROUP + version));
    }

    private static Stream<Finding> oldVersion(Rule rule, Subject subject) {
        boolean only = subject.kueue() == Profile.V0_14;
        return ofKueue(subject, "v1beta1")
                .map(
                        item -> {
                            var finding =
                                    rule.at(
                                                    item,
                                                    item.at("apiVersion"),
                                                    only
                                                            ? "from Kueue 0.15 on v1beta1 is"
                                                                    + " deprecated"
                                                            : "v1beta1 is deprecated")
                                            .verdict(
                                                    only
                                                            ? "accepted; the only version that"
                                                                    + " Kueue 0.14 serves"
                                                            : "Warning: This version is deprecated."
                                                                    + " Use v1beta2 instead.")
                                            .fix(
                                                    only
                                                            ? "none needed for this release"
                                                            : rule.fix() + renames(item));
                            return only ? finding : finding.edits(rename(item));
                        });
    }

    private static String renames(Item item) {
        var list = new ArrayList<String>();
        if (item.is(Kinds.CLUSTER_QUEUE) && item.at("spec", "cohort").exists()) {
            list.add("cohort is cohortName");
        }
        if (item.at("spec", "admissionChecks").exists()) {
            list.add("admissionChecks is admissionChecksStrategy");
        }
        if (item.is(Kinds.COHORT) && item.at("spec", "parent").exists()) {
            list.add("parent is parentName");
        }
        return list.isEmpty() ? "" : " (" + String.join(", ", list) + ")";
    }

    private static Edit[] rename(Item item) {
        var version = item.at("apiVersion");
        boolean plain = item.source().repairs().isEmpty();
        boolean hard =
                item.at("spec", "admissionChecks").exists()
                        || item.at("spec", "flavorFungibility").exists()
                        || item.is(Kinds.WORKLOAD);
        if (!plain || hard) {
            return new Edit[0];
        }
        var edits = new ArrayList<Edit>();
        edits.add(Edit.replace(version.place(), GROUP + "v1beta2"));
        var field = item.is(Kinds.COHORT) ? "parent" : "cohort";
        var renamed = item.at("spec", field);
        if (renamed.exists() && !item.is(Kinds.LOCAL_QUEUE)) {
            edits.add(
                    new Edit(
                            renamed.key().line(),
                            renamed.key().column(),
                            renamed.key().line(),
                            renamed.key().column() + field.length(),
                            field + "Name"));
        }
        return edits.toArray(Edit[]::new);
    }

    private static Stream<Finding> newVersion(Rule rule, Subject subject) {
        return subject.kueue() == Profile.V0_14
                ? ofKueue(subject, "v1beta2")
                        .map(
                                i ->
                                        rule.at(
                                                        i,
                                                        i.at("apiVersion"),
                                                        "Kueue 0.14 serves v1beta1 only")
                                                .verdict(
                                                        "error: resource mapping not found for name: \"%s\" namespace: \"%s\" from \"%s\": no matches for kind \"%s\" in version \"%s\""
                                                                .formatted(
                                                                        i.name(),
                                                                        i.text(
                                                                                "metadata",
                                                                                "namespace"),
                                                                        i.source().name(),
                                                                        i.text("kind"),
                                                                        i.text("apiVersion"))))
                : Stream.empty();
    }
}
