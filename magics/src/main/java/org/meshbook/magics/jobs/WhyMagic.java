package org.meshbook.magics.jobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.print.Age;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Refusals;

/// `%why`: why a job waits, who holds what it wants, and what would change it.
final class WhyMagic {
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";

    /// A RayJob's submitter is a Job of the same name.
    private static final List<ResourceKind> JOBS =
            List.of(Kinds.JOB_SET, Kinds.RAY_JOB, Kinds.JOB, Kinds.RAY_CLUSTER);

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%why", List.of("NAME"), List.of(new Flag("-n", "NS", "namespace (default)")));
    private static final String ABOUT =
            """
            Says why a job waits, who holds what it wants, and what would change it.

            %why train            a JobSet, Job or RayJob of that name
            """;

    private WhyMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                GRAMMAR,
                "jobs",
                ABOUT,
                (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        var name =
                given.word(0)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%why needs a job's name, as in %why train"));
        var cluster = door.open().cluster();
        var space = given.text("-n").orElse("default");
        var job = job(cluster, space, name);
        reasons(cluster, job).forEach(cell.out()::println);
        return null;
    }

    private static Resource job(Cluster cluster, String space, String name) {
        for (var kind : JOBS) {
            var found = cluster.find(kind.key(space, name));
            if (found.isPresent()) {
                return found.get();
            }
        }
        var known =
                JOBS.stream()
                        .flatMap(kind -> cluster.list(kind, space).stream())
                        .map(Resource::name)
                        .toList();
        throw new MagicException(
                "%%why: no job in namespace '%s' is called '%s'%s; %%get jobsets lists them"
                        .formatted(space, name, Nearest.hint(name, known)));
    }

    private static List<String> reasons(Cluster cluster, Resource job) {
        // 1. is it queued at all
        var queue = job.labels().getOrDefault(QUEUE, "");
        if (queue.isEmpty()) {
            return List.of(
                    "%s is not queued: it has no label %s, so it runs as soon as nodes have room"
                            .formatted(job.name(), QUEUE));
        }
        var workload = workload(cluster, job);
        if (workload.isEmpty()) {
            return List.of(
                    "%s has no workload yet; if it stays so, its priority class or its queue '%s' does not exist"
                            .formatted(job.name(), queue));
        }
        // 2. what Kueue says
        return told(cluster, job, queue, workload.get());
    }

    private static List<String> told(
            Cluster cluster, Resource job, String queue, Resource workload) {
        var name = job.name();
        if (workload.is("Finished")) {
            return List.of("%s has ended: %s".formatted(name, message(workload, "Finished")));
        }
        if (workload.is("Admitted")) {
            return List.of("%s does not wait: %s".formatted(name, message(workload, "Admitted")));
        }
        if (workload.is("QuotaReserved")) {
            return List.of("%s has its quota and waits for %s".formatted(name, checks(workload)));
        }
        var lines = new ArrayList<String>();
        var why = message(workload, "QuotaReserved");
        lines.add(
                "%s waits in queue '%s': %s"
                        .formatted(
                                name, queue, why.isEmpty() ? "nobody has looked at it yet" : why));
        var holders = holders(cluster, workload);
        if (!holders.isEmpty()) {
            lines.add(
                    "held by "
                            + holders.stream()
                                    .map(WhyMagic::holding)
                                    .collect(Collectors.joining(", ")));
            lines.add("it goes on when they end, or: " + remedy(holders.getLast()));
        }
        return lines;
    }

    private static Optional<Resource> workload(Cluster cluster, Resource job) {
        return cluster.list(Kinds.WORKLOAD, job.namespace()).stream()
                .filter(
                        each ->
                                each.list("metadata", "ownerReferences").stream()
                                        .anyMatch(
                                                o -> o.path("uid").asString("").equals(job.uid())))
                // of the slices of a job that grows, the one that waits
                .min(
                        Comparator.comparing((Resource each) -> each.is("Finished"))
                                .thenComparing(each -> each.is("Admitted")));
    }

    private static String checks(Resource workload) {
        return workload.list("status", "admissionChecks").stream()
                .filter(check -> !check.path("state").asString("").equals("Ready"))
                .map(
                        check ->
                                "check '%s' (%s) %s"
                                        .formatted(
                                                check.path("name").asString(""),
                                                check.path("state").asString(""),
                                                check.path("message").asString("")))
                .map(String::strip)
                .collect(Collectors.joining(", "));
    }

    /// Those with quota in the same cluster queue, the latest last.
    private static List<Resource> holders(Cluster cluster, Resource workload) {
        var queue = clusterQueue(cluster, workload);
        return cluster.list(Kinds.WORKLOAD, "").stream()
                .filter(each -> each.is("QuotaReserved") && !each.is("Finished"))
                .filter(each -> each.text("status", "admission", "clusterQueue").equals(queue))
                .sorted((a, b) -> since(a).compareTo(since(b)))
                .toList();
    }

    private static String clusterQueue(Cluster cluster, Resource workload) {
        return cluster.find(
                        Kinds.LOCAL_QUEUE.key(
                                workload.namespace(), workload.text("spec", "queueName")))
                .map(queue -> queue.text("spec", "clusterQueue"))
                .orElse("");
    }

    private static Instant since(Resource workload) {
        return workload.condition("QuotaReserved")
                .map(c -> Instant.parse(c.path("lastTransitionTime").asString()))
                .orElse(Instant.EPOCH);
    }

    private static String holding(Resource workload) {
        var usage =
                workload.list("status", "admission", "podSetAssignments").stream()
                        .flatMap(set -> set.path("resourceUsage").properties().stream())
                        .map(e -> e.getValue().asString("") + " " + e.getKey())
                        .collect(Collectors.joining(", "));
        return "%s (%s, for %s)"
                .formatted(
                        owner(workload),
                        usage,
                        Age.of(Optional.of(since(workload)), Instant.now()));
    }

    private static String owner(Resource workload) {
        return workload.list("metadata", "ownerReferences").stream()
                .map(o -> o.path("name").asString(""))
                .findFirst()
                .orElse(workload.name());
    }

    private static String remedy(Resource workload) {
        var kind =
                workload.list("metadata", "ownerReferences").stream()
                        .map(o -> o.path("kind").asString("").toLowerCase(Locale.ROOT))
                        .findFirst()
                        .orElse("workload");
        return "%%delete %s %s".formatted(kind, owner(workload));
    }

    private static String message(Resource workload, String condition) {
        return workload.condition(condition).map(c -> c.path("message").asString("")).orElse("");
    }
}
