package org.meshbook.magics.jobs.metrics;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.cluster.metrics.ClusterMetrics;
import org.meshbook.cluster.metrics.Sample;
import org.meshbook.cluster.metrics.Scrape;
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

/// `%metrics`: how long JobSets were up, how often they were interrupted, how soon they recovered.
///
/// The embedded cluster tells its own figures; a real one is watched from the first `%metrics` on.
public final class MetricsMagic {
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%metrics",
                    List.of("NAME"),
                    List.of(
                            Flag.plain("--raw", "all figures, as Prometheus reads them"),
                            Flag.plain("--url", "what to tell Prometheus so that it reads them")));
    private static final String ABOUT =
            """
            Shows how JobSets fare: uptime, interruptions, mean time to recover and between interruptions.

            %metrics                all JobSets
            %metrics train          one
            %metrics --raw          all figures of JobSets and queues, as Prometheus reads them
            %metrics --url          what to tell Prometheus

            An interruption begins when a pod that should be ready is not, and ends when all are again.
            """;

    private final ClusterDoor door;
    private @Nullable Watched watched;

    /// A real cluster that is watched from here.
    private record Watched(KubernetesCluster cluster, ClusterMetrics metrics) {}

    private MetricsMagic(ClusterDoor door) {
        this.door = door;
    }

    /// @param door the cluster that is asked
    /// @return the magic
    public static Magic of(ClusterDoor door) {
        var metrics = new MetricsMagic(door);
        return GrammarMagic.line(
                GRAMMAR,
                "jobs",
                ABOUT,
                (given, _, cell) -> Refusals.worded(() -> metrics.run(given, cell)));
    }

    private @Nullable Object run(Given given, Cell cell) {
        var open = door.open();
        if (given.has("--url")) {
            cell.out().print(url(scrape(open)));
            return null;
        }
        var text = text(open);
        if (given.has("--raw")) {
            cell.out().print(text);
            return null;
        }
        var rows = JobSetRow.of(Sample.read(text));
        if (given.word(0).isPresent()) {
            cell.display(JobSetRow.table(named(rows, given.words().getFirst())).display());
        } else if (rows.isEmpty()) {
            cell.out().println("no JobSets yet; %apply -f FILE or %%apply starts one");
        } else {
            cell.display(JobSetRow.table(rows).display());
        }
        return null;
    }

    private static List<JobSetRow> named(List<JobSetRow> rows, String name) {
        var found = rows.stream().filter(row -> row.name().equals(name)).toList();
        if (found.isEmpty()) {
            var known = rows.stream().map(JobSetRow::name).toList();
            throw new MagicException(
                    "%%metrics: no JobSet is called '%s'%s; %%metrics lists them"
                            .formatted(name, Nearest.hint(name, known)));
        }
        return found;
    }

    private static Scrape scrape(ClusterDoor.Open open) {
        if (!open.embedded()) {
            throw new MagicException(
                    "%%metrics --url is for the embedded cluster; %s has a Prometheus of its own"
                            .formatted(open.title()));
        }
        var file = open.kubeconfig().orElseThrow().toAbsolutePath();
        // A file that was read has a folder.
        return new Scrape(open.cluster().server(), Objects.requireNonNull(file.getParent()));
    }

    private static String url(Scrape scrape) {
        return """
        %s/metrics
        token in %s, certificate in %s; both are for you alone

        %s"""
                .formatted(
                        scrape.server(),
                        scrape.token(),
                        scrape.certificate(),
                        scrape.config("meshbook"));
    }

    private String text(ClusterDoor.Open open) {
        if (open.embedded()) {
            return open.cluster().text("metrics");
        }
        if (watched == null || watched.cluster() != open.cluster()) {
            if (watched != null) {
                watched.metrics().close();
            }
            watched =
                    new Watched(
                            open.cluster(),
                            ClusterMetrics.of(open.cluster(), InstantSource.system()));
        }
        return watched.metrics().text();
    }
}
