package org.meshbook.magics.jobs;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
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
import org.meshbook.magics.jobs.queues.JobWait;

/// `%wait`: until objects are as they should be.
final class WaitMagic {
    private static final Duration USUAL = Duration.ofMinutes(1);

    /// Jobs may wait for their turn for long.
    static final Duration JOB = Duration.ofDays(30);

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%wait",
                    List.of("KIND", "NAME..."),
                    List.of(
                            new Flag("-n", "NS", "namespace (default)"),
                            new Flag(
                                    "--for",
                                    "CONDITION",
                                    "a condition that is True, CONDITION=False, a phase,"
                                            + " a field as status.ready=2, or delete"),
                            new Flag(
                                    "--within",
                                    "TIME",
                                    "how long at most (1m; for the end of a job, no limit)")));
    private static final String ABOUT =
            """
            Waits until objects are as they should be.

            %wait train                                until a job has ended; says how it fares
            %wait jobset train --for Completed --within 10m
            %wait job train-slice-0 --for status.ready=2
            %wait job old --for delete

            An interrupt changes nothing in the cluster; a second one within 3 s, while it waits for the
            end of a job, deletes the job.
            """;

    private WaitMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing(
                        (start, _) ->
                                Stream.concat(
                                                JobFinder.complete(door, start).stream(),
                                                GetMagic.kinds(start).stream())
                                        .toList());
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell)
            throws InterruptedException {
        if (given.words().size() == 1 && !given.has("--for")) {
            return end(door, given, cell);
        }
        var kind = GetMagic.kind(given);
        var names = new TreeSet<>(given.words().subList(1, given.words().size()));
        var wanted = given.text("--for").orElse("");
        if (names.isEmpty() || wanted.isEmpty()) {
            throw new MagicException(
                    "%wait needs a name and what for, as in %wait jobset train --for Completed");
        }
        var open = door.open();
        var space = given.text("-n").orElse("default");
        if (wanted.equals("delete")) {
            names.removeIf(name -> open.cluster().find(kind.key(space, name)).isEmpty());
        }
        var within = given.time("--within").orElse(USUAL);
        var events = new LinkedBlockingQueue<WatchEvent>();
        long end = System.nanoTime() + within.toNanos();
        try (var _ = open.cluster().watch(kind, events::add)) {
            while (!names.isEmpty()) {
                var event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (event == null) {
                    throw new MagicException(
                            "%%wait: after %s, %s %s is not %s; %%describe %s %s says why"
                                    .formatted(
                                            given.text("--within").orElse("1m"),
                                            kind.kind(),
                                            String.join(", ", names),
                                            wanted,
                                            kind.plural(),
                                            names.first()));
                }
                heard(event, kind, space, wanted, names, cell);
            }
        }
        return null;
    }

    private static @Nullable Object end(ClusterDoor door, Given given, Cell cell)
            throws InterruptedException {
        var cluster = door.open().cluster();
        var finder = new JobFinder("%wait", cluster, given.text("-n").orElse("default"));
        var job = finder.job(given.words().getFirst());
        new JobWait(cluster, finder, job, cell).await(given.time("--within").orElse(JOB));
        return null;
    }

    private static void heard(
            WatchEvent event,
            ResourceKind kind,
            String space,
            String wanted,
            TreeSet<String> names,
            Cell cell) {
        var object = event.object();
        boolean ours = !kind.namespaced() || object.namespace().equals(space);
        boolean gone = event.type() == WatchEvent.Type.DELETED;
        boolean met = wanted.equals("delete") ? gone : !gone && isSo(object, wanted);
        if (ours && met && names.remove(object.name())) {
            cell.out().println("%s/%s is %s".formatted(kind.plural(), object.name(), wanted));
        }
    }

    private static boolean isSo(Resource object, String wanted) {
        int at = wanted.indexOf('=');
        if (at < 0) {
            return object.is(wanted) || object.text("status", "phase").equals(wanted);
        }
        var left = wanted.substring(0, at);
        var right = wanted.substring(at + 1);
        return object.condition(left)
                        .filter(c -> c.path("status").asString("").equals(right))
                        .isPresent()
                || object.at(left.split("\\.")).asString("").equals(right);
    }
}
