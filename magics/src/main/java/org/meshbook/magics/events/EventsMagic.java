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
import org.meshbook.magics.render.Table;
import org.meshbook.magics.slices.Lease;

/// Shows the tail of the session's event log, as the head wrote it.
public final class EventsMagic implements Magic {
    private static final int LAST = 20;
    private static final int MOST = 1000;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private static final Grammar GRAMMAR =
            new Grammar("%events", List.of(), List.of(new Flag("--last", "N", "how many (20)")));

    private final Lease lease;

    /// @param lease the slices of this process
    public EventsMagic(Lease lease) {
        this.lease = lease;
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
        return "Shows what happened to the slices of this session, oldest first.\n\n"
                + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return GRAMMAR.complete(arguments, cursor);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        int last = GRAMMAR.parse(call.arguments()).count("--last", 1, MOST).orElse(LAST);
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
