package org.meshbook.magics.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Validation;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.outlook.Forecast;
import org.meshbook.cluster.outlook.Forecast.Outcome;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Manifests;
import org.meshbook.magics.jobs.door.Refusals;
import org.meshbook.magics.render.Table;

/// `%forecast FILE` and `%%forecast`: what a manifest would get, drive out or wait for.
final class ForecastMagic {
    private static final List<Flag> FLAGS =
            List.of(new Flag("--set", "A=1,...", "what ${A} means in it"));
    private static final Grammar GRAMMAR = new Grammar("%forecast", List.of("FILE..."), FLAGS);
    private static final String ABOUT =
            """
            Says what the jobs of a manifest would get, preempt or wait for, and changes nothing.

            %forecast jobs.yaml
            %forecast queue.yaml jobs.yaml     with queues that are not there yet

            `%%forecast` in a cell's first line asks about the rest of the cell. Jobs come in their order,
            after those that wait already; who is preempted counts as gone at once.
            """;
    private static final List<ResourceKind> CONFIGURATION =
            List.of(
                    Kinds.RESOURCE_FLAVOR,
                    Kinds.COHORT,
                    Kinds.CLUSTER_QUEUE,
                    Kinds.LOCAL_QUEUE,
                    Kinds.NAMESPACE);
    private static final List<ResourceKind> JOBS =
            List.of(Kinds.JOB_SET, Kinds.JOB, Kinds.RAY_JOB, Kinds.RAY_CLUSTER);

    private ForecastMagic() {}

    static Magic of(ClusterDoor door) {
        return new GrammarMagic(
                GRAMMAR,
                Magic.Form.LINE_AND_CELL,
                "jobs",
                ABOUT,
                (start, _) -> Folder.complete(start, _ -> true),
                (given, call, cell) ->
                        Refusals.worded(
                                () ->
                                        call.body().isEmpty()
                                                ? files(door, given, cell)
                                                : text(door, given, call.body(), cell)));
    }

    private static @Nullable Object text(ClusterDoor door, Given given, String body, Cell cell) {
        return tell(door, Manifests.of("%%forecast", "cell", body, values(given, cell)), cell);
    }

    private static @Nullable Object files(ClusterDoor door, Given given, Cell cell) {
        if (given.words().isEmpty()) {
            throw new MagicException("%forecast needs a file, as in %forecast jobs.yaml");
        }
        var objects = new ArrayList<Resource>();
        for (var file : given.words()) {
            objects.addAll(Manifests.ofFile("%forecast", file, values(given, cell)));
        }
        return tell(door, objects, cell);
    }

    private static Map<String, String> values(Given given, Cell cell) {
        var set = given.text("--set").map(text -> Arrays.asList(text.split(","))).orElse(List.of());
        return Manifests.values(set, cell.workspace().variables());
    }

    private static @Nullable Object tell(ClusterDoor door, List<Resource> objects, Cell cell) {
        var open = door.open();
        var options =
                new WriteOptions(
                        Validation.STRICT,
                        true,
                        warning -> cell.err().println("Warning: " + warning));
        var snapshot = Snapshot.of(open.cluster(), Rules.of(open.profile()), Instant.now());
        var jobs = new ArrayList<Resource>();
        for (var object : objects) {
            var kind = object.key().kind();
            if (!CONFIGURATION.contains(kind) && !JOBS.contains(kind)) {
                continue;
            }
            // the server fills defaults in and says what is wrong
            var whole = open.cluster().apply(object, options);
            if (CONFIGURATION.contains(kind)) {
                snapshot.configure(whole);
            } else {
                jobs.add(whole);
            }
        }
        if (jobs.isEmpty()) {
            throw new MagicException(
                    "%forecast: there is no job in it; it looks at JobSets, Jobs, RayJobs and"
                            + " RayClusters");
        }
        var table = Table.of("job", "kind", "outcome", "because");
        for (var outcome : Forecast.of(snapshot, jobs)) {
            table =
                    table.row(
                            outcome.name(),
                            outcome.kind(),
                            outcome.fate().word(),
                            because(outcome, snapshot.now()));
        }
        cell.display(table.display());
        return null;
    }

    private static String because(Outcome outcome, Instant now) {
        var checks =
                outcome.checks().isEmpty()
                        ? ""
                        : "; then waits for check " + String.join(", ", outcome.checks());
        return switch (outcome.fate()) {
            case ADMITTED -> "would be admitted on %s now%s".formatted(outcome.places(), checks);
            case PREEMPTS ->
                    "would preempt %s, then be admitted on %s%s"
                            .formatted(
                                    String.join(", ", outcome.victims()), outcome.places(), checks);
            case WAITS ->
                    "would wait%s: %s%s"
                            .formatted(
                                    outcome.ahead() == 0
                                            ? ""
                                            : " behind %d".formatted(outcome.ahead()),
                                    outcome.message(),
                                    holders(outcome, now));
            case UNMANAGED -> "names no queue: it would run as soon as nodes have room";
        };
    }

    private static String holders(Outcome outcome, Instant now) {
        return outcome.holders().isEmpty()
                ? ""
                : "; held by "
                        + outcome.holders().stream()
                                .limit(3)
                                .map(holder -> holder.text(now))
                                .collect(Collectors.joining(", "));
    }
}
