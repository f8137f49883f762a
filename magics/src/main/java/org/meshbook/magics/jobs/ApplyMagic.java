package org.meshbook.magics.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.Validation;
import org.meshbook.cluster.print.Refusal;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.JobFinder;
import org.meshbook.magics.jobs.door.Manifests;
import org.meshbook.magics.jobs.door.Refusals;
import org.meshbook.magics.jobs.queues.JobWait;

/// `%apply FILE` and `%%manifest`: makes the cluster as a manifest says.
final class ApplyMagic {
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final List<Flag> FLAGS =
            List.of(
                    Flag.plain("--dry-run", "asks the server, and changes nothing"),
                    Flag.plain("--wait", "waits until its jobs have ended"),
                    new Flag("--set", "A=1,...", "what ${A} means in it"),
                    new Flag(
                            "--validate", "HOW", "strict, warn or ignore unknown fields (strict)"));
    private static final Grammar APPLY = new Grammar("%apply", List.of("FILE..."), FLAGS);
    private static final Grammar MANIFEST = new Grammar("%%manifest", List.of(), FLAGS);
    private static final String ABOUT =
            """
            Makes the cluster as a manifest says: creates what is not there, changes what differs.

            %apply queue.yaml jobs.yaml
            %apply rayjob.yaml --set JOB_ID=1        ${JOB_ID} in it; else a Java variable, else the environment
            %apply queue.yaml --dry-run              asks the server, and changes nothing
            %apply jobs.yaml --wait                  an interrupt detaches, a second one cancels

            `%%manifest` in a cell's first line applies the rest of the cell.
            """;

    private ApplyMagic() {}

    static Magic line(ClusterDoor door) {
        return GrammarMagic.line(
                        APPLY,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> files(door, given, cell)))
                .completing((start, _) -> Folder.complete(start, _ -> true));
    }

    static Magic cell(ClusterDoor door) {
        return new GrammarMagic(
                MANIFEST,
                Magic.Form.CELL,
                "jobs",
                ABOUT,
                (_, _) -> List.of(),
                (given, call, cell) ->
                        Refusals.worded(
                                () ->
                                        apply(
                                                door,
                                                Manifests.of(
                                                        "%%manifest",
                                                        "cell", call.body(), values(given, cell)),
                                                given,
                                                Optional.empty(),
                                                cell)));
    }

    private static @Nullable Object files(ClusterDoor door, Given given, Cell cell)
            throws InterruptedException {
        if (given.words().isEmpty()) {
            throw new MagicException("%apply needs a file, as in %apply queue.yaml");
        }
        for (var file : given.words()) {
            var unused =
                    apply(
                            door,
                            Manifests.ofFile("%apply", file, values(given, cell)),
                            given,
                            Optional.of(file),
                            cell);
        }
        return null;
    }

    private static Map<String, String> values(Given given, Cell cell) {
        var set = given.text("--set").map(text -> Arrays.asList(text.split(","))).orElse(List.of());
        return Manifests.values(set, cell.workspace().variables());
    }

    /// As kubectl: an object that is refused keeps none of the others back.
    private static @Nullable Object apply(
            ClusterDoor door, List<Resource> objects, Given given, Optional<String> file, Cell cell)
            throws InterruptedException {
        var cluster = door.open().cluster();
        var options =
                new WriteOptions(
                        validation(given),
                        given.has("--dry-run"),
                        warning -> cell.err().println("Warning: " + warning));
        var refused = new StringBuilder();
        var jobs = new ArrayList<Resource>();
        for (var object : objects) {
            try {
                var before = cluster.find(object.key());
                var after = cluster.apply(object, options);
                cell.out()
                        .println(
                                "%s/%s %s%s"
                                        .formatted(
                                                name(object),
                                                object.name(),
                                                word(before, after),
                                                options.dryRun() ? " (server dry run)" : ""));
                if (JobFinder.KINDS.contains(after.key().kind())) {
                    jobs.add(after);
                }
            } catch (ApiException no) {
                refused.append(refused.isEmpty() ? "" : "\n")
                        .append(Refusal.text(no, object, file));
            }
        }
        if (!refused.isEmpty()) {
            throw new MagicException(refused.toString());
        }
        jobs.forEach(job -> unmanaged(cluster, job).ifPresent(cell.out()::println));
        if (given.has("--wait") && !options.dryRun()) {
            for (var job : jobs) {
                var finder = new JobFinder("%apply", cluster, job.namespace());
                new JobWait(cluster, finder, job, cell).await(WaitMagic.JOB);
            }
        }
        return null;
    }

    /// Where there are queues, a job that names none is easily taken for one that waits.
    private static Optional<String> unmanaged(Cluster cluster, Resource job) {
        boolean named = job.labels().containsKey(QUEUE) || job.annotations().containsKey(QUEUE);
        var queues = named ? List.<Resource>of() : queues(cluster, job.namespace());
        return queues.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "note: %s is unmanaged: no queue-name label, so no quota holds it back; the label %s: %s queues it"
                                .formatted(job.name(), QUEUE, queues.getFirst().name()));
    }

    private static List<Resource> queues(Cluster cluster, String space) {
        return new JobFinder("%apply", cluster, space).list(Kinds.LOCAL_QUEUE);
    }

    private static String name(Resource object) {
        var kind = object.key().kind();
        var singular = kind.kind().toLowerCase(Locale.ROOT);
        return kind.group().isEmpty() ? singular : singular + "." + kind.group();
    }

    private static String word(Optional<Resource> before, Resource after) {
        return before.map(
                        b ->
                                b.resourceVersion() == after.resourceVersion()
                                        ? "unchanged"
                                        : "configured")
                .orElse("created");
    }

    private static Validation validation(Given given) {
        return switch (given.text("--validate").orElse("strict")) {
            case "strict" -> Validation.STRICT;
            case "warn" -> Validation.WARN;
            case "ignore" -> Validation.IGNORE;
            case String other ->
                    throw new MagicException(
                            "--validate is '%s'; it can be strict, warn or ignore"
                                    .formatted(other));
        };
    }
}
