package org.meshbook.magics.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.Validation;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Refusals;
import tools.jackson.databind.node.ObjectNode;

/// `%create`: the two kinds of objects that people make without a manifest.
final class CreateMagic {
    private static final List<String> WHAT = List.of("configmap", "namespace");
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%create",
                    List.of("configmap|namespace", "NAME"),
                    List.of(
                            new Flag(
                                    "--from-file",
                                    "[KEY=]F...",
                                    "a file, or the files of a folder; may be given again"),
                            new Flag(
                                    "--from-literal",
                                    "KEY=TEXT...",
                                    "a value as it is typed; may be given again"),
                            Flag.plain("--dry-run", "asks the server, and changes nothing"),
                            new Flag("-n", "NS", "namespace (default)")));
    private static final String ABOUT =
            """
            Creates a ConfigMap from files and values, or a namespace.

            %create configmap train-code --from-file=train.py --from-file=conf/ --from-literal=STEPS=100
            %create namespace team-a
            """;

    private CreateMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(
                        GRAMMAR,
                        "jobs",
                        ABOUT,
                        (given, _, cell) -> Refusals.worded(() -> run(door, given, cell)))
                .completing((start, _) -> WHAT.stream().filter(w -> w.startsWith(start)).toList());
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell) {
        var what = given.word(0).orElse("");
        var kind =
                Kinds.named(what)
                        .filter(k -> WHAT.contains(k.kind().toLowerCase(Locale.ROOT)))
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%%create makes a configmap or a namespace, not '%s'; %%apply makes everything else"
                                                        .formatted(what)));
        var name =
                given.word(1)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%%create %s needs a name".formatted(what)));
        var space = kind.namespaced() ? given.text("-n").orElse("default") : "";
        var object =
                Resource.named(kind, space, name)
                        .with(
                                json -> {
                                    given.texts("--from-file").forEach(f -> file(json, f));
                                    given.texts("--from-literal").forEach(l -> literal(json, l));
                                });
        var options = new WriteOptions(Validation.STRICT, given.has("--dry-run"), _ -> {});
        var made = door.open().cluster().create(object, options);
        cell.out()
                .println(
                        "%s/%s created%s"
                                .formatted(
                                        kind.kind().toLowerCase(Locale.ROOT),
                                        made.name(),
                                        options.dryRun() ? " (server dry run)" : ""));
        return null;
    }

    private static void literal(ObjectNode map, String typed) {
        int at = typed.indexOf('=');
        if (at < 1) {
            throw new MagicException(
                    "%%create: --from-literal is '%s'; write KEY=TEXT".formatted(typed));
        }
        put(map, typed.substring(0, at), typed.substring(at + 1).getBytes(StandardCharsets.UTF_8));
    }

    private static void file(ObjectNode map, String typed) {
        int at = typed.indexOf('=');
        var path = Folder.resolve(typed.substring(at + 1));
        try {
            if (Files.isDirectory(path) && at < 0) {
                try (var files = Files.list(path)) {
                    for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                        put(map, name(file), Files.readAllBytes(file));
                    }
                }
            } else {
                put(map, at < 0 ? name(path) : typed.substring(0, at), Files.readAllBytes(path));
            }
        } catch (IOException e) {
            throw new MagicException(
                    "%%create cannot read '%s': %s%s"
                            .formatted(
                                    typed.substring(at + 1),
                                    Files.exists(path) ? e.getMessage() : "no such file",
                                    Folder.near(path)));
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static void put(ObjectNode map, String key, byte[] bytes) {
        if (map.path("data").has(key) || map.path("binaryData").has(key)) {
            throw new MagicException(
                    "%%create: key '%s' is given twice; write KEY=FILE to name one otherwise"
                            .formatted(key));
        }
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            map.withObjectProperty("data").put(key, text.toString());
        } catch (CharacterCodingException binary) {
            map.withObjectProperty("binaryData")
                    .put(key, Base64.getEncoder().encodeToString(bytes));
        }
    }
}
