package org.meshbook.magics.jobs;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Refusals;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `%scale`: how many pods a job or a group of a Ray cluster is to have.
final class ScaleMagic {
    private static final int TRIES = 5;
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%scale",
                    List.of("KIND", "NAME"),
                    List.of(
                            new Flag("--replicas", "N", "how many"),
                            new Flag(
                                    "--group", "G", "worker group of a Ray cluster (its only one)"),
                            new Flag("-n", "NS", "namespace (default)")));
    private static final String ABOUT =
            """
            Makes a job larger or smaller while it runs.

            %scale job train --replicas 4              pods of a Job at a time
            %scale rayjob train --replicas 2           replicas of its workers, as Ray's autoscaler would
            %scale raycluster train-x2fgh --group tpu-group --replicas 2

            Kueue lets a job of its queues grow if the gate ElasticJobsViaWorkloadSlices is on and the job has
            the annotation kueue.x-k8s.io/elastic-job: "true".
            """;

    private ScaleMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing(
                        (start, _) ->
                                List.of("job", "rayjob", "raycluster").stream()
                                        .filter(k -> k.startsWith(start))
                                        .toList());
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        var text = given.text("--replicas").orElse("");
        if (given.words().size() < 2 || !text.matches("\\d{1,6}")) {
            throw new MagicException(
                    "%scale needs a kind, a name and how many, as in %scale rayjob train"
                            + " --replicas 2");
        }
        int replicas = Integer.parseInt(text);
        var cluster = door.open().cluster();
        var key = target(cluster, given);
        var before = scaled(cluster, key, given.text("--group"), replicas);
        cell.out()
                .println(
                        "%s/%s scaled from %d to %d"
                                .formatted(key.kind().resource(), key.name(), before, replicas));
        return null;
    }

    private static ResourceKey target(Cluster cluster, Given given) {
        var kind = GetMagic.kind(given);
        var key = kind.key(given.text("-n").orElse("default"), given.words().get(1));
        if (kind.equals(Kinds.JOB) || kind.equals(Kinds.RAY_CLUSTER)) {
            return key;
        }
        if (!kind.equals(Kinds.RAY_JOB)) {
            throw new MagicException(
                    "%%scale changes jobs, rayjobs and rayclusters, no %s"
                            .formatted(kind.plural()));
        }
        var ray = required(cluster, key).text("status", "rayClusterName");
        if (ray.isEmpty()) {
            throw new MagicException(
                    "%%scale: rayjob %s has no Ray cluster now; %%why %s says why"
                            .formatted(key.name(), key.name()));
        }
        return Kinds.RAY_CLUSTER.key(key.namespace(), ray);
    }

    private static Resource required(Cluster cluster, ResourceKey key) {
        return cluster.find(key).orElseThrow(() -> ApiException.notFound(key.kind(), key.name()));
    }

    /// Again, if somebody else wrote at the same time.
    private static int scaled(
            Cluster cluster, ResourceKey key, Optional<String> group, int replicas) {
        for (int i = 1; ; i++) {
            var object = required(cluster, key);
            int before = place(object.json(), key, group).path(field(key)).asInt(1);
            try {
                cluster.update(
                        object.with(json -> place(json, key, group).put(field(key), replicas)),
                        WriteOptions.PLAIN);
                return before;
            } catch (ApiException refused) {
                if (!refused.conflicted() || i == TRIES) {
                    throw refused;
                }
            }
        }
    }

    private static String field(ResourceKey key) {
        return key.kind().equals(Kinds.JOB) ? "parallelism" : "replicas";
    }

    private static ObjectNode place(ObjectNode object, ResourceKey key, Optional<String> group) {
        if (key.kind().equals(Kinds.JOB)) {
            return object.withObjectProperty("spec");
        }
        var groups = object.path("spec").path("workerGroupSpecs").valueStream().toList();
        var names = groups.stream().map(ScaleMagic::name).toList();
        var found =
                groups.stream()
                        .filter(g -> group.map(name(g)::equals).orElse(groups.size() == 1))
                        .findFirst();
        return (ObjectNode)
                found.orElseThrow(
                        () ->
                                new MagicException(
                                        "%%scale: raycluster %s has the groups %s; say which with"
                                                        .formatted(
                                                                key.name(),
                                                                String.join(", ", names))
                                                + " --group"));
    }

    private static String name(JsonNode group) {
        return group.path("groupName").asString("");
    }
}
