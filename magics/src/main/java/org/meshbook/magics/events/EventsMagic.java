package org.meshbook.magics.events;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.link.LoggedEvent;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.jobs.door.Refusals;
import org.meshbook.magics.jobs.queues.ClusterEvents;
import org.meshbook.magics.render.Table;
import org.meshbook.magics.slices.Lease;

/// Shows the tail of the session's event log, as the head wrote it.
public final class EventsMagic implements Magic {
    private static final int LAST = 20;
    private static final int MOST = 1000;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%events",
                    List.of("NAME"),
                    List.of(
                            new Flag("--last", "N", "how many (20)"),
                            Flag.plain("--cluster", "those of the cluster, of all objects"),
                            new Flag("-n", "NS", "namespace of the cluster (default)")));
    private static final String ABOUT =
            """
            Shows what happened to the slices of this session, or to objects of the cluster, oldest first.

            %events                 slices
            %events train           a job of the cluster and all that it owns; also KIND/NAME
            %events --cluster       all objects of a namespace

            """;

    private final Lease lease;
    private final ClusterEvents cluster;

    /// @param lease the slices of this process
    /// @param cluster what happened in the cluster
    public EventsMagic(Lease lease, ClusterEvents cluster) {
        this.lease = lease;
        this.cluster = cluster;
    }

    @Override
    public String name() {
        return "events";
    }

    @Override
    public String group() {
        return "slices";
    }

    @Override
    public String help() {
        return ABOUT + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return GRAMMAR.complete(arguments, cursor);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws InterruptedException {
        var given = GRAMMAR.parse(call.arguments());
        int last = given.count("--last", 1, MOST).orElse(LAST);
        if (given.has("--cluster") || given.word(0).isPresent()) {
            return Refusals.worded(
                    () -> {
                        cluster.show(
                                given.word(0).orElse(""),
                                given.text("-n").orElse("default"),
                                last,
                                cell);
                        return null;
                    });
        }
        try {
            lease.session()
                    .ifPresentOrElse(
                            session -> cell.display(tail(session, last)),
                            () -> cell.out().println("no slices were provisioned yet; no events"));
        } catch (ElasticException e) {
            var line = new MagicException(String.valueOf(e.getMessage()));
            line.initCause(e);
            throw line;
        }
        return null;
    }

    private static DisplayData tail(Session session, int last) {
        var table = Table.of("time", "slice", "event", "what");
        for (LoggedEvent event : session.events(last)) {
            table =
                    table.row(
                            CLOCK.format(event.at().atZone(ZoneId.systemDefault())),
                            event.slice() < 0 ? "-" : event.slice(),
                            event.kind(),
                            event.text());
        }
        return table.display();
    }
}
