package org.meshbook.magics.jobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.print.Description;
import org.meshbook.cluster.print.Output;
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
import org.meshbook.magics.jobs.door.Shown;

/// `%get` and `%describe`: objects of the cluster, as kubectl shows them.
final class GetMagic {
    private static final Flag NAMESPACE = new Flag("-n", "NS", "namespace (default)");
    private static final Grammar GET =
            new Grammar(
                    "%get",
                    List.of("KIND", "NAME"),
                    List.of(
                            NAMESPACE,
                            Flag.plain("-A", "all namespaces"),
                            new Flag("-o", "FORM", "wide, yaml or json")));
    private static final String GET_ABOUT =
            """
            Shows objects of the cluster, in kubectl's columns.

            %get jobsets
            %get workloads -A
            %get pod NAME -o yaml
            """;
    private static final Grammar DESCRIBE =
            new Grammar("%describe", List.of("KIND", "NAME"), List.of(NAMESPACE));
    private static final String DESCRIBE_ABOUT =
            """
            Shows one object of the cluster with its events.

            %describe workload jobset-train-1a2b3
            """;

    private GetMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GET,
                        "jobs",
                        GET_ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> get(door, given, cell)))
                .completing((start, _) -> kinds(start));
    }

    static Magic describe(ClusterDoor door) {
        return GrammarMagic.line(
                        DESCRIBE,
                        "jobs",
                        DESCRIBE_ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> describe(door, given, cell)))
                .completing((start, _) -> kinds(start));
    }

    private static @Nullable Object get(ClusterDoor door, Given given, Cell cell) {
        var kind = kind(given);
        var form = given.text("-o").orElse("");
        if (!List.of("", "wide", "yaml", "json").contains(form)) {
            throw new MagicException(
                    "%%get: -o is '%s'; it can be wide, yaml or json".formatted(form));
        }
        var open = door.open();
        boolean all = given.has("-A") && kind.namespaced();
        var space = all ? "" : given.text("-n").orElse("default");
        boolean one = given.word(1).isPresent();
        var found =
                one
                        ? List.of(required(open, kind, space, given.words().get(1)))
                        : open.cluster().list(kind, kind.namespaced() ? space : "");
        switch (form) {
            case "yaml" -> cell.out().print(Output.yaml(found, !one));
            case "json" -> cell.out().print(Output.json(found, !one));
            default -> {
                if (found.isEmpty()) {
                    cell.out().println(nothing(kind, space));
                } else {
                    cell.display(new Shown(open).table(kind, found, form.equals("wide"), all));
                }
            }
        }
        return null;
    }

    private static String nothing(ResourceKind kind, String space) {
        return kind.namespaced() && !space.isEmpty()
                ? "No resources found in %s namespace.".formatted(space)
                : "No resources found";
    }

    private static @Nullable Object describe(ClusterDoor door, Given given, Cell cell) {
        var kind = kind(given);
        var name =
                given.word(1)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%describe needs a kind and a name, as in %describe"
                                                        + " pod trainer-0"));
        var open = door.open();
        var object = required(open, kind, given.text("-n").orElse("default"), name);
        var events =
                open.cluster().list(Kinds.EVENT, object.namespace()).stream()
                        .filter(e -> e.text("involvedObject", "uid").equals(object.uid()))
                        .toList();
        cell.out().print(Description.of(object, events, Instant.now()));
        return null;
    }

    static Resource required(ClusterDoor.Open open, ResourceKind kind, String space, String name) {
        return open.cluster()
                .find(kind.key(space, name))
                .orElseThrow(() -> ApiException.notFound(kind, name));
    }

    /// @return the kind that the first word means
    static ResourceKind kind(Given given) {
        var command = given.grammar().command();
        var word =
                given.word(0)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%s needs a kind, as in %s jobsets"
                                                        .formatted(command, command)));
        return Kinds.named(word)
                .orElseThrow(
                        () ->
                                new MagicException(
                                        "%s: the cluster has no kind '%s'%s"
                                                .formatted(
                                                        command,
                                                        word,
                                                        Nearest.hint(word, words()))));
    }

    static List<String> kinds(String start) {
        return words().stream().filter(word -> word.startsWith(start)).sorted().toList();
    }

    private static List<String> words() {
        var words = new ArrayList<String>();
        Kinds.all()
                .forEach(
                        kind ->
                                Stream.concat(Stream.of(kind.plural()), kind.shortNames().stream())
                                        .forEach(words::add));
        return words;
    }
}
