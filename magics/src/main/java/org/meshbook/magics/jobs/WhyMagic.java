package org.meshbook.magics.jobs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.outlook.Why;
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

/// `%why`: why a job waits, who holds what it wants, and what would change it.
final class WhyMagic {
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

            Each line begins with a word for its cause. A job that runs has a line for each pod without a
            node, and for each job of a JobSet that is placed exclusively: its leader and who follows.
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
        var open = door.open();
        var job = job(open.cluster(), given.text("-n").orElse("default"), name);
        var snapshot = Snapshot.of(open.cluster(), Rules.of(open.profile()), Instant.now());
        for (var cause : Why.of(open.cluster(), snapshot, job)) {
            cell.out().println("%s: %s".formatted(cause.code().word(), cause.text()));
        }
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
}
