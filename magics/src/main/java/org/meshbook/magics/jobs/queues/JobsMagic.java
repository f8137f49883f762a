package org.meshbook.magics.jobs.queues;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.print.Age;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.JobFinder;
import org.meshbook.magics.jobs.door.JobState;
import org.meshbook.magics.jobs.door.Refusals;
import org.meshbook.magics.render.Table;

/// `%jobs`: all jobs of a namespace in one table, whatever their kind.
final class JobsMagic {
    static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%jobs",
                    List.of(),
                    List.of(
                            new Flag("-n", "NS", "namespace (default)"),
                            Flag.plain("-A", "all namespaces")));
    private static final String ABOUT =
            """
            Lists JobSets, RayJobs and Jobs in one table: queue, status, and the place of those that wait.

            %jobs
            %jobs -A            of all namespaces
            """;

    private JobsMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                GRAMMAR,
                "jobs",
                ABOUT,
                (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        boolean all = given.has("-A");
        var space = all ? "" : given.text("-n").orElse("default");
        var finder = new JobFinder("%jobs", door.open().cluster(), space);
        var workloads = finder.list(Kinds.WORKLOAD);
        var byOwner =
                workloads.stream()
                        .flatMap(w -> w.owners().stream().map(uid -> Map.entry(uid, w)))
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a));
        var jobs =
                JobFinder.KINDS.stream()
                        .flatMap(kind -> finder.list(kind).stream())
                        .filter(JobsMagic::isWhole)
                        .toList();
        if (jobs.isEmpty()) {
            cell.out()
                    .println(
                            all
                                    ? "no jobs"
                                    : "no jobs in namespace %s; %%jobs -A looks into all"
                                            .formatted(space));
            return null;
        }
        var table =
                all
                        ? Table.of(
                                "NAMESPACE", "KIND", "NAME", "QUEUE", "STATUS", "POSITION", "AGE")
                        : Table.of("KIND", "NAME", "QUEUE", "STATUS", "POSITION", "AGE");
        for (var job : jobs) {
            var workload = Optional.ofNullable(byOwner.get(job.uid()));
            var row =
                    List.<Object>of(
                            job.namespace(),
                            job.kind().kind(),
                            job.name(),
                            job.labels().getOrDefault(QUEUE, "-"),
                            JobState.of(job, workload).word(),
                            workload.flatMap(w -> JobState.position(w, workloads)).orElse("-"),
                            Age.of(job.created(), Instant.now()));
            table = table.row(row.subList(all ? 0 : 1, row.size()).toArray());
        }
        cell.display(table.display());
        return null;
    }

    /// The Jobs of a JobSet and the cluster and submitter of a RayJob are told with their owner.
    private static boolean isWhole(Resource job) {
        return job.list("metadata", "ownerReferences").stream()
                .noneMatch(o -> o.path("controller").asBoolean(false));
    }
}
