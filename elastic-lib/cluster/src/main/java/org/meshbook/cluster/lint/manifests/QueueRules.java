package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;
import static org.meshbook.cluster.lint.rule.Severity.INFO;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;

/// Rules about ClusterQueues, as each is written.
final class QueueRules {
    private static final Set<String> PREEMPTION =
            Set.of("withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort");

    private QueueRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "KQ001",
                        ERROR,
                        "a resource group that does not say what it covers",
                        "add `coveredResources` with the resources of its flavors",
                        QueueRules::covered),
                new Rule(
                        "KQ003",
                        ERROR,
                        "a ClusterQueue for no namespace",
                        "add `namespaceSelector: {}`",
                        QueueRules::selector),
                new Rule(
                        "KQ004",
                        WARNING,
                        "priorities that preempt nobody",
                        "add `withinClusterQueue: LowerPriority`",
                        QueueRules::withinQueue),
                new Rule(
                        "KQ012",
                        WARNING,
                        "a ClusterQueue that covers accelerators only",
                        "cover cpu and memory too, with a large quota",
                        QueueRules::onlyChips),
                new Rule(
                        "KQ014",
                        INFO,
                        "one ClusterQueue, written twice with other quotas",
                        "give them distinct names",
                        QueueRules::twice),
                new Rule(
                        "KQ016",
                        ERROR,
                        "a flavor whose resources stand in another order than coveredResources",
                        "write the resources in the order of coveredResources",
                        QueueRules::order),
                new Rule(
                        "KQ017",
                        ERROR,
                        "a limit for borrowing or lending without a cohort",
                        "name a cohort, or drop the limit",
                        QueueRules::limits),
                new Rule(
                        "KQ018",
                        ERROR,
                        "borrowWithinCohort beside reclaimWithinCohort: Never",
                        "let reclaimWithinCohort be LowerPriority or Any",
                        QueueRules::borrow),
                new Rule(
                        "KQ019",
                        ERROR,
                        "an admission check on a flavor that the ClusterQueue does not have",
                        "name a flavor of this ClusterQueue",
                        QueueRules::foreignFlavor));
    }

    private static Stream<Finding> covered(Rule rule, Subject subject) {
        return Queue.in(subject)
                .flatMap(
                        queue -> {
                            var found = new ArrayList<Finding>();
                            for (int i = 0; i < queue.groups().size(); i++) {
                                var group = queue.groups().get(i);
                                if (!group.at("coveredResources").exists()) {
                                    found.add(covered(rule, queue, group, i));
                                }
                            }
                            return found.stream();
                        });
    }

    private static Finding covered(Rule rule, Queue queue, Value group, int index) {
        var path = "spec.resourceGroups[%d].coveredResources".formatted(index);
        var names = Queue.flavorResources(group);
        var list =
                names.stream()
                        .map(n -> "\"" + n + "\"")
                        .collect(Collectors.joining(", ", "[", "]"));
        return rule.at(
                        queue.item(),
                        group,
                        "resourceGroups[%d] has no coveredResources".formatted(index))
                .verdict(
                        "The ClusterQueue \"%s\" is invalid: %s: Invalid value: \"null\": %2$s in body must be of type array: \"null\""
                                        .formatted(queue.name(), path)
                                + unknownFirst(queue))
                .fix("add `coveredResources: %s`".formatted(list))
                .edits(Texts.into(queue.item(), group, "coveredResources: " + list));
    }

    private static String unknownFirst(Queue queue) {
        return queue.preemption().fields().keySet().stream().allMatch(PREEMPTION::contains)
                ? ""
                : " (with --validate=warn or false; the unknown field is refused before that)";
    }

    private static Stream<Finding> selector(Rule rule, Subject subject) {
        var word = subject.kueue() == Profile.V0_19 ? "workload" : "Workload";
        var says =
                "accepted; every workload then waits: "
                        + word
                        + " namespace doesn't match ClusterQueue selector";
        return Queue.in(subject)
                .filter(q -> q.item().at("spec").exists())
                .filter(q -> !q.item().at("spec", "namespaceSelector").exists())
                .map(
                        q ->
                                rule.at(
                                                q.item(),
                                                q.item().at("spec"),
                                                "no namespaceSelector: none of the namespaces"
                                                        + " matches")
                                        .verdict(says)
                                        .edits(
                                                Texts.into(
                                                        q.item(),
                                                        q.item().at("spec"),
                                                        "namespaceSelector: {}")));
    }

    private static Stream<Finding> withinQueue(Rule rule, Subject subject) {
        return Queue.in(subject)
                .filter(q -> q.preemption().at("withinClusterQueue").text().isEmpty())
                .filter(q -> !q.preemptsWithin(subject))
                .filter(q -> q.preemption().exists() || priorities(q, subject) > 1)
                .map(q -> withinQueue(rule, q));
    }

    private static Finding withinQueue(Rule rule, Queue queue) {
        var preemption = queue.preemption();
        var place = preemption.exists() ? preemption : queue.item().at("spec");
        return rule.at(
                        queue.item(),
                        place,
                        "withinClusterQueue is not set: priority only orders the queue")
                .verdict(
                        "accepted; withinClusterQueue is Never: a high priority waits until a low"
                                + " one is done")
                .edits(Texts.into(queue.item(), preemption, "withinClusterQueue: LowerPriority"));
    }

    private static long priorities(Queue queue, Subject subject) {
        return Work.in(subject)
                .filter(
                        w ->
                                Queue.of(w, subject)
                                        .filter(q -> q.name().equals(queue.name()))
                                        .isPresent())
                .map(w -> w.priority(subject))
                .distinct()
                .count();
    }

    private static Stream<Finding> onlyChips(Rule rule, Subject subject) {
        return Queue.in(subject)
                .filter(q -> !q.covered().isEmpty())
                .filter(q -> !q.covered().contains("cpu") && !q.covered().contains("memory"))
                .filter(q -> q.covered().stream().allMatch(r -> r.contains("/")))
                .map(
                        q ->
                                rule.at(
                                                q.item(),
                                                q.item().at("spec", "resourceGroups"),
                                                "only %s is covered: a pod that asks for cpu or memory never runs"
                                                        .formatted(String.join(", ", q.covered())))
                                        .verdict(
                                                "accepted; such a workload waits for ever: couldn't"
                                                        + " assign flavors to pod set …: resource cpu"
                                                        + " unavailable in ClusterQueue"));
    }

    private static Stream<Finding> twice(Rule rule, Subject subject) {
        var seen = new HashMap<String, Queue>();
        var found = new ArrayList<Finding>();
        for (var queue : Queue.in(subject).toList()) {
            var first = seen.putIfAbsent(queue.name(), queue);
            if (first != null && !first.quotas().equals(queue.quotas())) {
                found.add(twice(rule, queue, first.item()));
            }
        }
        return found.stream();
    }

    private static Finding twice(Rule rule, Queue queue, Item first) {
        var there = first.source().given(first.at("metadata", "name").key());
        return rule.at(
                        queue.item(),
                        queue.item().at("metadata", "name"),
                        "ClusterQueue \"%s\" has other quotas in %s:%d"
                                .formatted(queue.name(), first.source().name(), there.line()))
                .verdict(
                        "clusterqueue.kueue.x-k8s.io/%s configured: the second one's flavors and quotas take the place of the first one's"
                                .formatted(queue.name()));
    }

    private static Stream<Finding> order(Rule rule, Subject subject) {
        var found = new ArrayList<Finding>();
        Queue.in(subject)
                .forEach(
                        queue -> {
                            for (int g = 0; g < queue.groups().size(); g++) {
                                order(rule, queue, g, found);
                            }
                        });
        return found.stream();
    }

    private static void order(Rule rule, Queue queue, int g, List<Finding> found) {
        var group = queue.groups().get(g);
        if (!group.at("coveredResources").exists()) {
            return;
        }
        var covered = Queue.covered(group);
        var flavors = group.at("flavors").items();
        for (int f = 0; f < flavors.size(); f++) {
            var resources = flavors.get(f).at("resources").items();
            var names = resources.stream().map(r -> r.at("name").text()).toList();
            var path = "spec.resourceGroups[%d].flavors[%d].resources".formatted(g, f);
            if (names.size() != covered.size()) {
                found.add(
                        rule.at(
                                        queue.item(),
                                        flavors.get(f).at("resources"),
                                        "flavor \"%s\" has %d resources, coveredResources %d"
                                                .formatted(
                                                        flavors.get(f).at("name").text(),
                                                        names.size(),
                                                        covered.size()))
                                .verdict(
                                        "The ClusterQueue \"%s\" is invalid: spec.resourceGroups[%d]: Invalid value: \"object\": flavors must have the same number of resources as the coveredResources"
                                                .formatted(queue.name(), g)));
                continue;
            }
            for (int r = 0; r < names.size(); r++) {
                if (!names.get(r).equals(covered.get(r))) {
                    found.add(
                            rule.at(
                                            queue.item(),
                                            resources.get(r).at("name"),
                                            "\"%s\" stands where coveredResources has \"%s\""
                                                    .formatted(names.get(r), covered.get(r)))
                                    .verdict(
                                            "admission webhook \"vclusterqueue.kb.io\" denied the request: %s[%d].name: Invalid value: \"%s\": must match the name in coveredResources"
                                                    .formatted(path, r, names.get(r))));
                    break;
                }
            }
        }
    }

    private static Stream<Finding> limits(Rule rule, Subject subject) {
        return Queue.in(subject)
                .filter(q -> q.cohort().isEmpty())
                .flatMap(
                        q ->
                                Stream.of("borrowingLimit", "lendingLimit")
                                        .flatMap(l -> limits(rule, q, l)));
    }

    private static Stream<Finding> limits(Rule rule, Queue queue, String limit) {
        var says =
                limit.equals("borrowingLimit")
                        ? "The ClusterQueue \"%s\" is invalid: spec: Invalid value: \"object\": borrowingLimit must be nil when cohort is empty"
                                .formatted(queue.name())
                        : "admission webhook \"vclusterqueue.kb.io\" denied the request: …"
                                + " lendingLimit: Invalid value: …: must be nil when cohort is empty";
        return queue.flavors()
                .flatMap(f -> f.at("resources").items().stream())
                .map(r -> r.at(limit))
                .filter(Value::exists)
                .map(v -> rule.at(queue.item(), v, limit + " without a cohort").verdict(says));
    }

    private static Stream<Finding> borrow(Rule rule, Subject subject) {
        return Queue.in(subject)
                .filter(
                        q ->
                                Set.of("", "Never")
                                        .contains(q.preemption().at("reclaimWithinCohort").text()))
                .filter(
                        q ->
                                !Set.of("", "Never")
                                        .contains(
                                                q.preemption()
                                                        .at("borrowWithinCohort", "policy")
                                                        .text()))
                .map(
                        q ->
                                rule.at(
                                                q.item(),
                                                q.preemption().at("borrowWithinCohort"),
                                                "borrowWithinCohort needs reclaimWithinCohort")
                                        .verdict(
                                                "The ClusterQueue \"%s\" is invalid: spec.preemption: Invalid value: \"object\": reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never"
                                                        .formatted(q.name())));
    }

    private static Stream<Finding> foreignFlavor(Rule rule, Subject subject) {
        return Queue.in(subject).flatMap(q -> foreignFlavor(rule, q));
    }

    private static Stream<Finding> foreignFlavor(Rule rule, Queue queue) {
        var own = queue.flavors().map(f -> f.at("name").text()).collect(Collectors.toSet());
        return queue
                .item()
                .at("spec", "admissionChecksStrategy", "admissionChecks")
                .items()
                .stream()
                .flatMap(check -> check.at("onFlavors").items().stream())
                .filter(flavor -> !own.contains(flavor.text()))
                .map(
                        flavor ->
                                rule.at(
                                        queue.item(),
                                        flavor,
                                        "this ClusterQueue has no flavor \"%s\"; it has %s"
                                                .formatted(flavor.text(), String.join(", ", own))));
    }
}
