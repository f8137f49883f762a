package org.meshbook.magics.slices;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.session.Known;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.slices.Names;
import org.meshbook.elastic.wire.SessionFile;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Grammar;

/// Takes over the session that another kernel left, or looks on at one.
public final class AttachMagic implements Magic {
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%attach",
                    List.of("ID"),
                    List.of(
                            Flag.plain(
                                    "--observe",
                                    "looks on: sees slices, events and what is published, and can"
                                            + " change nothing")));

    private final Lease lease;

    /// @param lease the slices of this process
    public AttachMagic(Lease lease) {
        this.lease = lease;
    }

    @Override
    public String name() {
        return "attach";
    }

    @Override
    public String group() {
        return "slices";
    }

    @Override
    public String help() {
        return """
        Takes over the session that another kernel left, or looks on at one.

          %attach                 takes over the session that waits, if there is one
          %attach s3              takes over that one
          %attach s3 --observe    looks on while somebody else has it

        What was published is found again by lookup("name", Type.class); all else that the
        earlier kernel had made is freed. %session list shows the sessions.

        """
                + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return GRAMMAR.complete(arguments, cursor);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var given = GRAMMAR.parse(call.arguments());
        boolean observe = given.has("--observe");
        try {
            var id = given.word(0).orElseGet(() -> observe ? onlyOne() : onlyWaiting());
            var before =
                    Known.all(Lease.options()).stream().filter(s -> s.id().equals(id)).findFirst();
            var session = observe ? lease.observe(id) : lease.attach(id);
            cell.out()
                    .println(observe ? observed(session) : resumed(session, before.orElseThrow()));
        } catch (ElasticException e) {
            throw SlicesMagic.oneLine(e);
        }
        return null;
    }

    private static String onlyWaiting() {
        var waiting = Known.waiting(Lease.options());
        if (waiting.size() == 1) {
            return waiting.getFirst().id();
        }
        throw new MagicException(
                waiting.isEmpty()
                        ? "no session waits for a kernel"
                                + Sessions.lastEnded()
                                + "; ask for slices, as in %slices 4"
                        : "%d sessions wait: %s; say which, as in %%attach %s"
                                .formatted(waiting.size(), ids(waiting), waiting.getLast().id()));
    }

    private static String onlyOne() {
        var living = Known.all(Lease.options()).stream().filter(one -> !one.isOver()).toList();
        if (living.size() == 1) {
            return living.getFirst().id();
        }
        throw new MagicException(
                living.isEmpty()
                        ? "there is no session to look on at"
                        : "there are %d sessions: %s; say which, as in %%attach %s --observe"
                                .formatted(living.size(), ids(living), living.getLast().id()));
    }

    private static String ids(List<SessionFile> sessions) {
        return sessions.stream().map(SessionFile::id).collect(Collectors.joining(", "));
    }

    private static String resumed(Session session, SessionFile before) {
        return "resumed session %s (%s), left %s ago by %s; %s"
                .formatted(
                        session.id(),
                        Sessions.slices(session),
                        Sessions.ago(before.since(), Instant.now()),
                        Sessions.holder(before),
                        names(session, "nothing was published, so all arrays are freed"));
    }

    private static String observed(Session session) {
        return "looking on at session %s%s: %s; %s"
                .formatted(
                        session.id(),
                        session.holder().isEmpty() ? "" : " of " + session.holder(),
                        Sessions.slices(session),
                        names(session, "nothing is published"));
    }

    private static String names(Session session, String none) {
        var names = session.runtime().map(MeshRuntime::names).map(Names::list).orElse(List.of());
        return names.isEmpty()
                ? none
                : "published: "
                        + String.join(", ", names)
                        + " (lookup(\""
                        + names.getFirst()
                        + "\", Type.class))";
    }
}
