package org.meshbook.magics.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Kinds;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.daily.files.Folder;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.door.Refusals;
import org.meshbook.magics.jobs.door.Shown;

/// `%cluster`: which cluster the other magics talk to.
final class ClusterMagic {
    private static final List<String> WHICH = List.of("embedded", "kubeconfig");
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%cluster",
                    List.of("embedded|kubeconfig", "FILE"),
                    List.of(
                            new Flag(
                                    "--kueue",
                                    "V",
                                    "0.14, 0.17 or 0.19, of the embedded one (0.17)"),
                            new Flag(
                                    "--pools",
                                    "P,...",
                                    "node pools to add to the embedded one, each"
                                            + " NAME=ACCELERATOR:TOPOLOGY:COUNT or NAME=NODES"),
                            new Flag(
                                    "--gates",
                                    "G=true,...",
                                    "Kueue's feature gates, of the embedded one"),
                            new Flag(
                                    "--config",
                                    "FILE",
                                    "Kueue's Configuration, of the embedded one"),
                            Flag.plain("--fresh", "an empty embedded cluster anew; pods end"),
                            new Flag("--context", "C", "of the kubeconfig (its current one)"),
                            Flag.plain("--kubectl", "prints what kubectl needs to reach it")));
    private static final String ABOUT =
            """
            Chooses the cluster that %apply, %get and %delete talk to, and shows it.

            %cluster                             which one it is, and its nodes
            %cluster embedded                    the one in the head of this machine; so it is at first
            %cluster embedded --pools v5e=tpu-v5-lite-podslice:2x4:3
            %cluster embedded --pools dws=tpu-v6e-slice:4x4:flex(delay=5s,lease=7d)
            %cluster embedded --fresh --gates ElasticJobsViaWorkloadSlices=true --config FILE
            %cluster kubeconfig                  the one that kubectl would take
            %cluster kubeconfig FILE --context C

            %cluster --kubectl                   what to set so that kubectl reaches it, too

            flex(...) for a pool's COUNT is queued provisioning: its nodes come when a ProvisioningRequest has
            waited for its delay, and go when their lease ends. With speed=86400 a day of both passes in a
            second; fail=TEXT|TEXT makes the first requests fail.

            The embedded cluster keeps its objects, also when its head ends. --fresh throws them away.
            """;

    private ClusterMagic() {}

    static Magic of(ClusterDoor door) {
        return GrammarMagic.line(GRAMMAR, "jobs", ABOUT, (given, _, cell) -> run(door, given, cell))
                .completing((start, _) -> WHICH.stream().filter(w -> w.startsWith(start)).toList());
    }

    private static @Nullable Object run(ClusterDoor door, Given given, Cell cell)
            throws InterruptedException {
        return Refusals.worded(
                () -> {
                    var open = chosen(door, given);
                    if (given.has("--kubectl")) {
                        cell.out().println(kubectl(open));
                    } else {
                        show(open, cell);
                    }
                    return null;
                });
    }

    private static ClusterDoor.Open chosen(ClusterDoor door, Given given) {
        boolean other = given.flags().keySet().stream().anyMatch(f -> !f.equals("--kubectl"));
        var which = given.word(0).orElse(other ? "embedded" : "");
        return switch (which) {
            case "" -> door.open();
            case "embedded" -> door.embedded(options(given));
            case "kubeconfig" ->
                    door.real(given.word(1).map(Folder::resolve), given.text("--context"));
            default ->
                    throw new MagicException(
                            "%%cluster does not know '%s'%s; it knows embedded and kubeconfig"
                                    .formatted(which, Nearest.hint(which, WHICH)));
        };
    }

    private static Map<String, String> options(Given given) {
        var options = new HashMap<String, String>();
        given.text("--kueue").ifPresent(v -> options.put("kueue", v));
        given.text("--pools").ifPresent(p -> options.put("pools", p));
        given.text("--gates").ifPresent(g -> options.put("gates", g));
        given.text("--config").ifPresent(file -> options.put("config", content(file)));
        if (given.has("--fresh")) {
            options.put("fresh", "true");
        }
        return options;
    }

    /// The head may work in another folder, so it gets the text.
    private static String content(String file) {
        var path = Folder.resolve(file);
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new MagicException(
                    "%%cluster cannot read '%s': %s%s"
                            .formatted(
                                    file,
                                    Files.exists(path) ? e.getMessage() : "no such file",
                                    Folder.near(path)));
        }
    }

    private static String kubectl(ClusterDoor.Open open) {
        return open.kubeconfig()
                .map(file -> "export KUBECONFIG='%s'".formatted(file))
                .orElse("kubectl reaches %s by itself".formatted(open.title()));
    }

    private static void show(ClusterDoor.Open open, Cell cell) {
        var nodes = open.cluster().list(Kinds.NODE, "");
        cell.out().println(open.title());
        var shown = new Shown(open).table(Kinds.NODE, nodes, false, false);
        cell.display(shown);
    }
}
