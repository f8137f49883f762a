package org.meshbook.magics.jobs.queues;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
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
import tools.jackson.databind.node.ObjectNode;

/// `%hold` and `%resume`: a queue, a workload or a job stands still, and goes on.
final class HoldMagic {
    private static final int MOST_TRIES = 20;
    private static final Flag NAMESPACE = new Flag("-n", "NS", "namespace (default)");
    private static final Grammar HOLD =
            new Grammar(
                    "%hold",
                    List.of("NAME"),
                    List.of(
                            Flag.plain("--drain", "of a queue: evicts what it has admitted, too"),
                            NAMESPACE));
    private static final String HOLD_ABOUT =
            """
            Holds a job, a workload or a queue; nothing is deleted.

            %hold train               a job: its pods end, it waits until %resume train
            %hold clusterqueue/main   a queue: what runs goes on, nothing new is admitted
            %hold lq/user --drain     a queue: what runs is evicted, too
            """;
    private static final Grammar RESUME =
            new Grammar("%resume", List.of("NAME"), List.of(NAMESPACE));
    private static final String RESUME_ABOUT =
            """
            Lets go on what %hold holds.

            %resume train
            %resume clusterqueue/main
            """;

    private HoldMagic() {}

    static Magic hold(ClusterDoor door) {
        return magic(door, HOLD, HOLD_ABOUT, true);
    }

    static Magic resume(ClusterDoor door) {
        return magic(door, RESUME, RESUME_ABOUT, false);
    }

    private static Magic magic(ClusterDoor door, Grammar grammar, String about, boolean hold) {
        return GrammarMagic.line(
                        grammar,
                        "jobs",
                        about,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, hold, cell)))
                .completing(
                        (start, _) ->
                                JobFinder.complete(
                                        door, start, Kinds.CLUSTER_QUEUE, Kinds.LOCAL_QUEUE));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, boolean hold, Cell cell) {
        var command = given.grammar().command();
        var typed =
                given.word(0)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%s needs a job's or a queue's name, as in %s train"
                                                        .formatted(command, command)));
        var cluster = door.open().cluster();
        var finder = new JobFinder(command, cluster, given.text("-n").orElse("default"));
        var found = finder.any(typed, kinds());
        var kind = found.kind().kind();
        boolean queue = kind.endsWith("Queue");
        if (given.has("--drain") && !queue) {
            throw new MagicException(
                    "%%hold: --drain is for queues; %s is a %s, whose pods end anyway"
                            .formatted(found.name(), kind));
        }
        var held = queue ? found : finder.workload(found).orElse(found);
        change(cluster, held, spec -> edit(spec, held, hold, given.has("--drain")));
        cell.out().println(told(found, held, hold, given.has("--drain")));
        return null;
    }

    private static List<ResourceKind> kinds() {
        var kinds = new ArrayList<>(JobFinder.KINDS);
        kinds.addAll(List.of(Kinds.WORKLOAD, Kinds.LOCAL_QUEUE, Kinds.CLUSTER_QUEUE));
        return kinds;
    }

    /// A job that Kueue manages is held by its workload: Kueue would start it again at once.
    private static void edit(ObjectNode spec, Resource held, boolean hold, boolean drain) {
        switch (held.kind().kind()) {
            case "ClusterQueue", "LocalQueue" ->
                    spec.put("stopPolicy", hold ? (drain ? "HoldAndDrain" : "Hold") : "None");
            case "Workload" -> spec.put("active", !hold);
            default -> spec.put("suspend", hold);
        }
    }

    private static String told(Resource found, Resource held, boolean hold, boolean drain) {
        var name = "%s/%s".formatted(found.kind().kind().toLowerCase(Locale.ROOT), found.name());
        if (held.kind().kind().endsWith("Queue")) {
            return hold
                    ? "%s is held: it admits nobody%s; %%resume %s opens it"
                            .formatted(
                                    name,
                                    drain ? ", and what it had admitted is evicted" : " new",
                                    name)
                    : name + " is open";
        }
        var how =
                held.kind().equals(Kinds.WORKLOAD) && !found.kind().equals(Kinds.WORKLOAD)
                        ? " (workload %s)".formatted(held.name())
                        : "";
        return hold
                ? "%s is held%s; %%resume %s lets it go on".formatted(name, how, name)
                : "%s goes on%s, when it has its quota".formatted(name, how);
    }

    /// Reads and writes again if somebody else was faster.
    private static void change(Cluster cluster, Resource object, Consumer<ObjectNode> edit) {
        for (int attempt = 1; ; attempt++) {
            var now =
                    cluster.find(object.key())
                            .orElseThrow(() -> ApiException.notFound(object.kind(), object.name()));
            try {
                var unused =
                        cluster.update(
                                now.with(json -> edit.accept(json.withObjectProperty("spec"))),
                                WriteOptions.PLAIN);
                return;
            } catch (ApiException refused) {
                if (!refused.conflicted() || attempt == MOST_TRIES) {
                    throw refused;
                }
            }
        }
    }
}
