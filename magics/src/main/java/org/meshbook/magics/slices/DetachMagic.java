package org.meshbook.magics.slices;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.session.Known;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.wire.SessionFile;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Grammar;

/// Leaves a session running, for a kernel that comes later.
public final class DetachMagic implements Magic {
    private static final Duration LONGEST = Duration.ofDays(7);

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%detach",
                    List.of(),
                    List.of(new Flag("--for", "TIME", "how long slices are kept (10m)")));

    private final Lease lease;

    /// @param lease the slices of this process
    public DetachMagic(Lease lease) {
        this.lease = lease;
    }

    @Override
    public String name() {
        return "detach";
    }

    @Override
    public String group() {
        return "slices";
    }

    @Override
    public String help() {
        return """
        Leaves the session to a kernel that comes later: slices and what is published stay.

          %detach                 for ten minutes
          %detach --for 2h        for two hours

        An observer that detaches only looks away.

        """
                + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return GRAMMAR.complete(arguments, cursor);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var grace = GRAMMAR.parse(call.arguments()).time("--for");
        if (grace.isPresent() && (grace.get().isZero() || grace.get().compareTo(LONGEST) > 0)) {
            throw new MagicException("%detach: --for is at least 1ms and at most 168h");
        }
        try {
            cell.out()
                    .println(
                            lease.detach(grace)
                                    .map(DetachMagic::left)
                                    .orElse("no session to leave; nothing changed"));
        } catch (ElasticException e) {
            throw SlicesMagic.oneLine(e);
        }
        return null;
    }

    private static String left(Session session) {
        if (session.observes()) {
            return "no longer looking on at session " + session.id();
        }
        Optional<SessionFile> known =
                Known.all(Lease.options()).stream()
                        .filter(one -> one.id().equals(session.id()))
                        .findFirst();
        return known.filter(one -> one.state() == SessionFile.State.DETACHED)
                .map(
                        one ->
                                "left session %s: %s%s kept until %s; come back with %%attach %s, or free them with %%session close %s"
                                        .formatted(
                                                one.id(),
                                                Sessions.count(one.slices()),
                                                one.names().isEmpty()
                                                        ? ""
                                                        : " and " + String.join(", ", one.names()),
                                                Sessions.clock(one.until()),
                                                one.id(),
                                                one.id()))
                .orElse("session " + session.id() + " is over; its slices are freed");
    }
}
