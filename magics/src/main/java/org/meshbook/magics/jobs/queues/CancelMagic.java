package org.meshbook.magics.jobs.queues;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Resource;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.JobFinder;
import org.meshbook.magics.jobs.door.Refusals;

/// `%cancel`: takes a job away, and says what goes with it.
public final class CancelMagic {
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%cancel",
                    List.of("NAME..."), List.of(new Flag("-n", "NS", "namespace (default)")));
    private static final String ABOUT =
            """
            Deletes a job, and says what goes with it: its pods end, its quota is free.

            %cancel train
            %cancel rayjob/train
            """;

    private CancelMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing((start, _) -> JobFinder.complete(door, start));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        if (given.words().isEmpty()) {
            throw new MagicException("%cancel needs a job's name, as in %cancel train");
        }
        var cluster = door.open().cluster();
        var finder = new JobFinder("%cancel", cluster, given.text("-n").orElse("default"));
        // All are found before any is deleted.
        for (var job : given.words().stream().map(finder::job).toList()) {
            cell.out().println(cancel(cluster, finder, job));
        }
        return null;
    }

    /// Deletes a job.
    ///
    /// @param cluster where
    /// @param finder finds what it owns
    /// @param job the job
    /// @return what was done, in a line
    public static String cancel(Cluster cluster, JobFinder finder, Resource job) {
        var counts = new LinkedHashMap<String, Integer>();
        finder.owned(job)
                .forEach(
                        each ->
                                counts.merge(
                                        each.kind().kind().toLowerCase(Locale.ROOT),
                                        1,
                                        Integer::sum));
        cluster.delete(job.key(), Propagation.BACKGROUND);
        var with =
                counts.entrySet().stream()
                        .map(
                                e ->
                                        "%d %s%s"
                                                .formatted(
                                                        e.getValue(),
                                                        e.getKey(),
                                                        e.getValue() == 1 ? "" : "s"))
                        .collect(Collectors.joining(", "));
        return "%s \"%s\" deleted%s"
                .formatted(
                        job.key().kind().resource(),
                        job.name(),
                        with.isEmpty() ? "" : "; with it " + with);
    }
}
