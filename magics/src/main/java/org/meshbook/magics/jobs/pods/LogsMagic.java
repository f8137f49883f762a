package org.meshbook.magics.jobs.pods;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
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

/// `%logs`: what the pods of a job print.
final class LogsMagic {
    private static final int MOST_LINES = 1_000_000_000;
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%logs",
                    List.of("NAME"),
                    List.of(
                            Flag.plain("-f", "goes on until the job has ended"),
                            new Flag("--tail", "N", "the last N lines of each pod"),
                            Flag.plain("--previous", "of the start before the last one"),
                            new Flag("-c", "C", "container (a pod's first)"),
                            Flag.plain("--timestamps", "each line with its time"),
                            new Flag("-n", "NS", "namespace (default)")));
    private static final String ABOUT =
            """
            Shows what the pods of a job print; lines of several pods name theirs.

            %logs train                   a JobSet, RayJob, Job, RayCluster or pod of that name
            %logs rayjob/train -f         also while it waits, starts again, and until it has ended
            %logs pod/train-slice-0-0-x7k2p --previous
            """;

    private LogsMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing((start, _) -> JobFinder.complete(door, start, Kinds.POD));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell)
            throws InterruptedException {
        var typed =
                given.word(0)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%logs needs a job's or a pod's name, as in %logs train"));
        if (given.has("-f") && given.has("--previous")) {
            throw new MagicException(
                    "%logs: a start that is over cannot be followed; leave out -f or --previous");
        }
        var cluster = door.open().cluster();
        var finder = new JobFinder("%logs", cluster, given.text("-n").orElse("default"));
        var job = finder.any(typed, kinds());
        var options = options(given);
        if (given.has("-f")) {
            new LogFollower(cluster, job, options.withFollow(), cell).run();
        } else {
            show(cluster, pods(finder, job), options, cell);
        }
        return null;
    }

    private static List<ResourceKind> kinds() {
        var kinds = new ArrayList<>(JobFinder.KINDS);
        kinds.add(Kinds.POD);
        return kinds;
    }

    private static Logs.Options options(Given given) {
        var options = Logs.Options.ALL.withContainer(given.text("-c").orElse(""));
        var tail = given.count("--tail", 0, MOST_LINES);
        options = tail.isPresent() ? options.withTail(tail.get()) : options;
        options = given.has("--previous") ? options.withPrevious() : options;
        return given.has("--timestamps") ? options.withTimestamps() : options;
    }

    private static List<Resource> pods(JobFinder finder, Resource job) {
        var pods = job.kind().equals(Kinds.POD) ? List.of(job) : finder.pods(job);
        if (pods.isEmpty()) {
            throw new MagicException(
                    "%%logs: %s has no pods; %%why %s says whether it waits, %%logs %s -f waits, too"
                            .formatted(job.name(), job.name(), job.name()));
        }
        return pods;
    }

    /// Pod after pod, whole.
    private static void show(Logs logs, List<Resource> pods, Logs.Options options, Cell cell)
            throws InterruptedException {
        boolean named = pods.size() > 1;
        for (var pod : pods) {
            var container = container(pod, options.container(), cell);
            var prefix = named ? prefix(pod, container) : "";
            logs.logs(
                    pod.key(),
                    options.withContainer(container),
                    line -> cell.out().println(prefix + line));
        }
    }

    /// @return what stands before each line of a pod, in kubectl's form
    static String prefix(Resource pod, String container) {
        return "[pod/%s/%s] ".formatted(pod.name(), container);
    }

    /// As kubectl: the pod's default container, else its first, and it is said.
    static String container(Resource pod, String asked, Cell cell) {
        var names =
                pod.list("spec", "containers").stream()
                        .map(c -> c.path("name").asString(""))
                        .toList();
        if (!asked.isEmpty() || names.size() < 2) {
            return asked.isEmpty() && !names.isEmpty() ? names.getFirst() : asked;
        }
        var marked = pod.annotations().getOrDefault("kubectl.kubernetes.io/default-container", "");
        var chosen = names.contains(marked) ? marked : names.getFirst();
        cell.err()
                .println(
                        "Defaulted container \"%s\" out of: %s"
                                .formatted(
                                        chosen, names.stream().collect(Collectors.joining(", "))));
        return chosen;
    }
}
