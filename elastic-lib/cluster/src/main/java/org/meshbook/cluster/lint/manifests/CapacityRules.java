package org.meshbook.cluster.lint.manifests;

import static org.meshbook.cluster.lint.rule.Severity.ERROR;
import static org.meshbook.cluster.lint.rule.Severity.WARNING;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.lint.rule.Finding;
import org.meshbook.cluster.lint.rule.Rule;
import org.meshbook.cluster.lint.rule.Subject;
import org.meshbook.cluster.manifest.Value;

/// Rules about jobs that never run: queues that are not there, quotas and slices that do not hold
/// them.
final class CapacityRules {
    private static final String ACCELERATOR = "cloud.google.com/gke-tpu-accelerator";
    private static final String TOPOLOGY = "cloud.google.com/gke-tpu-topology";
    private static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";

    private CapacityRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "KQ020",
                        WARNING,
                        "a queue in another namespace than the job",
                        "put the job and its LocalQueue into one namespace",
                        CapacityRules::otherNamespace),
                new Rule(
                        "KQ021",
                        ERROR,
                        "a job that no flavor can ever hold",
                        "ask for less, or raise the quota",
                        CapacityRules::neverFits),
                new Rule(
                        "KQ022",
                        WARNING,
                        "a strict queue behind a job that never fits",
                        "let the queue be BestEffortFIFO, or mend the job",
                        CapacityRules::strict),
                new Rule(
                        "GK001",
                        ERROR,
                        "pods that do not fill their slice",
                        "let pods times chips be the topology's product",
                        CapacityRules::slice),
                new Rule(
                        "GK002",
                        WARNING,
                        "exclusive placement of a single host",
                        "drop the annotation: a slice of one host needs no leader",
                        CapacityRules::singleHost));
    }

    private static Stream<Finding> otherNamespace(Rule rule, Subject subject) {
        var queues = subject.items(Kinds.LOCAL_QUEUE).toList();
        return Work.in(subject)
                .filter(w -> !w.meantQueue().isEmpty())
                .filter(w -> queues.stream().anyMatch(q -> q.name().equals(w.meantQueue())))
                .filter(
                        w ->
                                queues.stream()
                                        .filter(q -> q.name().equals(w.meantQueue()))
                                        .noneMatch(q -> q.namespace().equals(w.item().namespace())))
                .map(
                        w ->
                                rule.at(
                                                w.item(),
                                                w.item().at("metadata"),
                                                "the LocalQueue \"%s\" is in namespace %s, the job in %s"
                                                        .formatted(
                                                                w.meantQueue(),
                                                                queues.stream()
                                                                        .filter(
                                                                                q ->
                                                                                        q.name()
                                                                                                .equals(
                                                                                                        w
                                                                                                                .meantQueue()))
                                                                        .findFirst()
                                                                        .orElseThrow()
                                                                        .namespace(),
                                                                w.item().namespace()))
                                        .verdict(
                                                "accepted; the workload waits: LocalQueue %s doesn't exist"
                                                        .formatted(w.meantQueue())));
    }

    private static Stream<Finding> neverFits(Rule rule, Subject subject) {
        return Work.in(subject)
                .flatMap(
                        w ->
                                Queue.of(w, subject).stream()
                                        .filter(q -> q.cohort().isEmpty())
                                        .flatMap(
                                                q ->
                                                        w.pods().stream()
                                                                .flatMap(
                                                                        p ->
                                                                                neverFits(
                                                                                        rule, w, p,
                                                                                        q)
                                                                                        .stream())));
    }

    private static Optional<Finding> neverFits(Rule rule, Work work, PodSet pods, Queue queue) {
        for (var resource : pods.requests().keySet()) {
            var most =
                    queue.quotas(resource)
                            .map(r -> Amount.of(r.at("nominalQuota")))
                            .max(Quantity::compareTo);
            var total = pods.total(resource);
            if (most.isPresent() && total.compareTo(most.get()) > 0) {
                var place = pods.spec().exists() ? pods.spec() : work.item().at("spec");
                return Optional.of(
                        rule.at(
                                        work.item(),
                                        place,
                                        "%d pods ask for %s %s; no flavor of \"%s\" has more than %s"
                                                .formatted(
                                                        pods.count(),
                                                        total,
                                                        resource,
                                                        queue.name(),
                                                        most.get()))
                                .verdict(
                                        "accepted; the workload waits for ever: couldn't assign flavors to pod set %s: insufficient quota for %s in flavor …, previously considered podsets requests (0) + current podset request (%s) > maximum capacity (%s)"
                                                .formatted(
                                                        pods.name(), resource, total, most.get())));
            }
        }
        return Optional.empty();
    }

    private static Stream<Finding> strict(Rule rule, Subject subject) {
        var found = new ArrayList<Finding>();
        for (var queue : Queue.in(subject).toList()) {
            var strategy = queue.item().at("spec", "queueingStrategy");
            if (!strategy.text().equals("StrictFIFO") || !queue.cohort().isEmpty()) {
                continue;
            }
            Work.in(subject)
                    .filter(w -> Queue.of(w, subject).filter(queue::equals).isPresent())
                    .filter(
                            w ->
                                    w.pods().stream()
                                            .anyMatch(
                                                    p -> neverFits(rule, w, p, queue).isPresent()))
                    .findFirst()
                    .ifPresent(
                            w ->
                                    found.add(
                                            rule.at(
                                                            queue.item(),
                                                            strategy,
                                                            "%s never fits and stays at the head: nothing behind it is admitted"
                                                                    .formatted(w.item().title()))
                                                    .verdict(
                                                            "accepted; younger workloads wait for"
                                                                    + " ever")));
        }
        return found.stream();
    }

    private static Stream<Finding> slice(Rule rule, Subject subject) {
        return Work.in(subject).flatMap(w -> slices(w).flatMap(s -> slice(rule, w, s).stream()));
    }

    /// The pods of one slice: of one child job, of one replica of a group of workers.
    private record Slice(long pods, Value template) {
        Value selector() {
            return template.at("spec", "nodeSelector");
        }

        long chips() {
            return new PodSet("", 1, template).total(RayRules.TPU).units();
        }

        /// @return chips of the topology, such as 16 for `4x4`; 0 if it is not told
        long topology() {
            var text = selector().at(TOPOLOGY).text();
            return text.matches("\\d{1,4}(x\\d{1,4}){1,2}")
                    ? Arrays.stream(text.split("x"))
                            .mapToLong(Long::parseLong)
                            .reduce(1, (a, b) -> a * b)
                    : 0;
        }

        /// v5e and v6e have hosts of 1, 4 and 8 chips, the others of 4.
        boolean oneHost() {
            var kind = selector().at(ACCELERATOR).text();
            boolean flat = kind.equals("tpu-v5-lite-podslice") || kind.equals("tpu-v6e-slice");
            return topology() <= 4 || flat && topology() == 8 && pods == 1;
        }
    }

    private static Stream<Slice> slices(Work work) {
        var item = work.item();
        if (item.is(Kinds.JOB_SET)) {
            return item.at("spec", "replicatedJobs").items().stream()
                    .map(j -> j.at("template", "spec"))
                    .map(spec -> new Slice(spec.at("parallelism").number(1), spec.at("template")));
        }
        if (item.is(Kinds.JOB)) {
            return Stream.of(
                    new Slice(
                            item.at("spec", "parallelism").number(1), item.at("spec", "template")));
        }
        return Stream.concat(
                        item.at("spec", "rayClusterSpec", "workerGroupSpecs").items().stream(),
                        item.at("spec", "workerGroupSpecs").items().stream())
                .map(g -> new Slice(g.at("numOfHosts").number(1), g.at("template")));
    }

    private static Optional<Finding> slice(Rule rule, Work work, Slice slice) {
        long chips = slice.chips();
        long wanted = slice.topology();
        if (wanted == 0 || chips == 0 || slice.pods() * chips == wanted) {
            return Optional.empty();
        }
        // Pods of different jobs may share one host.
        if (wanted <= 4 && slice.pods() * chips < wanted) {
            return Optional.empty();
        }
        var selector = slice.selector().at(TOPOLOGY);
        long hosts = Math.max(1, wanted / 4);
        return Optional.of(
                rule.at(
                                work.item(),
                                selector,
                                "%d pods of %d chips are %d; the topology %s has %d"
                                        .formatted(
                                                slice.pods(),
                                                chips,
                                                slice.pods() * chips,
                                                selector.text(),
                                                wanted))
                        .verdict("accepted; the pods stay Pending: no slice has that many hosts")
                        .fix(
                                "let there be %d pods with %d chips each"
                                        .formatted(hosts, wanted / hosts)));
    }

    private static Stream<Finding> singleHost(Rule rule, Subject subject) {
        return subject.items(Kinds.JOB_SET)
                .filter(i -> i.at("metadata", "annotations", EXCLUSIVE).exists())
                .flatMap(
                        item ->
                                Work.of(item).stream()
                                        .filter(w -> slices(w).anyMatch(s -> s.topology() > 0))
                                        .filter(
                                                w ->
                                                        slices(w)
                                                                .filter(s -> s.topology() > 0)
                                                                .allMatch(Slice::oneHost))
                                        .map(
                                                _ ->
                                                        rule.at(
                                                                item,
                                                                item.at(
                                                                        "metadata",
                                                                        "annotations",
                                                                        EXCLUSIVE),
                                                                "each slice is one host: exclusive"
                                                                        + " placement has nothing"
                                                                        + " to do")));
    }
}
