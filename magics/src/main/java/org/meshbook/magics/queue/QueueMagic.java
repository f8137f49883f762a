package org.meshbook.magics.queue;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.queue.Rules;
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

/// `%queue`: quota, who holds it, who waits and where.
final class QueueMagic {
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%queue",
                    List.of("NAME"),
                    List.of(
                            new Flag("-n", "NS", "only workloads of this namespace"),
                            Flag.plain("--all", "finished workloads, too")));
    private static final String ABOUT =
            """
            Shows how much quota is used, who holds it, and who waits at which place.

            %queue                all cluster queues
            %queue team-a         a local queue or a cluster queue of that name

            POSITION IN QUEUE counts from 0 in the workload's own local queue. When a turn comes is
            estimated from the run times of jobs that have finished in the same cluster queue.
            """;

    private QueueMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                GRAMMAR,
                "jobs",
                ABOUT,
                (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        var open = door.open();
        var name = given.word(0);
        name.ifPresent(asked -> require(open.cluster(), asked));
        var snapshot = Snapshot.of(open.cluster(), Rules.of(open.profile()), Instant.now());
        var page = QueuePage.of(snapshot, name, given.text("-n"), given.has("--all"));
        cell.display(page.display());
        return null;
    }

    private static void require(Cluster cluster, String name) {
        var known =
                Stream.of(Kinds.LOCAL_QUEUE, Kinds.CLUSTER_QUEUE)
                        .flatMap(kind -> cluster.list(kind, "").stream())
                        .map(Resource::name)
                        .distinct()
                        .toList();
        if (!known.contains(name)) {
            throw new MagicException(
                    "%%queue: no local queue and no cluster queue is called '%s'%s; %s"
                            .formatted(
                                    name,
                                    Nearest.hint(name, known),
                                    known.isEmpty()
                                            ? "the cluster has none yet"
                                            : "there are " + String.join(", ", known)));
        }
    }
}
