package org.meshbook.magics.jobs;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster.Propagation;
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
import org.meshbook.magics.jobs.door.Manifests;
import org.meshbook.magics.jobs.door.Refusals;

/// `%delete`: takes objects away.
final class DeleteMagic {
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%delete",
                    List.of("KIND", "NAME..."),
                    List.of(
                            new Flag("-n", "NS", "namespace (default)"),
                            new Flag("-f", "FILE", "what this manifest names"),
                            Flag.plain("--now", "without a grace period")));
    private static final String ABOUT =
            """
            Deletes objects of the cluster, and what they own.

            %delete jobset train
            %delete -f jobs.yaml
            %delete pod train-0 --now         ends it at once, as kubectl does with --grace-period=0 --force
            """;

    private DeleteMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing((start, _) -> GetMagic.kinds(start));
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        var open = door.open();
        for (var key : keys(given)) {
            if (given.has("--now")) {
                open.cluster().remove(key);
            } else {
                open.cluster().delete(key, Propagation.BACKGROUND);
            }
            cell.out().println("%s \"%s\" deleted".formatted(key.kind().resource(), key.name()));
        }
        return null;
    }

    private static List<ResourceKey> keys(Given given) {
        Optional<String> file = given.text("-f");
        if (file.isPresent()) {
            return Manifests.ofFile("%delete", file.get(), List.of()).stream()
                    .map(Resource::key)
                    .toList();
        }
        var kind = GetMagic.kind(given);
        var names = given.words().subList(1, given.words().size());
        if (names.isEmpty()) {
            throw new MagicException(
                    "%%delete %s needs a name, or -f FILE".formatted(kind.plural()));
        }
        var space = given.text("-n").orElse("default");
        return names.stream().map(name -> kind.key(space, name)).toList();
    }
}
