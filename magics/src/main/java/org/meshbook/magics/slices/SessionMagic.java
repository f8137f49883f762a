package org.meshbook.magics.slices;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.link.StatusReport;
import org.meshbook.elastic.controller.session.Known;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.render.Amounts;
import org.meshbook.magics.render.Table;

/// Shows the session of this kernel and those of others; frees one that waits.
public final class SessionMagic implements Magic {
    private static final Grammar GRAMMAR =
            new Grammar("%session", List.of("list|close", "ID"), List.of());

    private final Lease lease;

    /// @param lease the slices of this process
    public SessionMagic(Lease lease) {
        this.lease = lease;
    }

    @Override
    public String name() {
        return "session";
    }

    @Override
    public String group() {
        return "slices";
    }

    @Override
    public String help() {
        return """
        Shows the session of this kernel: who, lease, slices, arrays, published names.

          %session                this kernel's
          %session list           all of this user, also those that are over
          %session close          ends this kernel's and frees its slices at once
          %session close s3       the same for one that waits for a kernel

        """
                + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var typed = arguments.substring(0, Math.min(cursor, arguments.length()));
        return List.of("list", "close").stream().filter(word -> word.startsWith(typed)).toList();
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var given = GRAMMAR.parse(call.arguments());
        try {
            switch (given.word(0).orElse("")) {
                case "" -> own(cell);
                case "list" -> list(cell);
                case "close" -> close(given.word(1), cell);
                default ->
                        throw new MagicException(
                                "%%session does not understand '%s'; it knows list and close"
                                        .formatted(given.words().getFirst()));
            }
        } catch (ElasticException e) {
            throw SlicesMagic.oneLine(e);
        }
        return null;
    }

    private void own(Cell cell) {
        var open = lease.session().filter(Session::isOpen);
        if (open.isEmpty()) {
            cell.out()
                    .println("this kernel has no session; %slices 4 opens one, %attach takes one");
            return;
        }
        cell.display(table(open.get()).display());
    }

    private static Table table(Session session) {
        var status =
                LocalHead.ofEnvironment()
                        .status()
                        .flatMap(
                                head ->
                                        head.sessions().stream()
                                                .filter(s -> s.id().equals(session.id()))
                                                .findFirst());
        var table =
                Table.of("session", session.id())
                        .row("who", status.map(SessionMagic::who).orElse("-"))
                        .row("lease", lease(session, status))
                        .row("slices", Sessions.slices(session));
        if (session.runtime().isPresent()) {
            var runtime = session.runtime().get();
            table =
                    table.row(
                            "arrays",
                            runtime.arrays() == 0
                                    ? "none"
                                    : "%d, %s on all devices"
                                            .formatted(
                                                    runtime.arrays(),
                                                    Amounts.size(runtime.arrayBytes())));
        }
        return table.row(
                        "published",
                        status.map(StatusReport.Client::names)
                                .filter(names -> !names.isEmpty())
                                .map(names -> String.join(", ", names))
                                .orElse("nothing"))
                .row("observers", status.map(StatusReport.Client::observers).orElse(0));
    }

    private static String who(StatusReport.Client client) {
        var process = "pid " + client.pid();
        return (client.name().equals(process) ? process : client.name() + ", " + process)
                + ", since "
                + Sessions.clock(Instant.parse(client.since()));
    }

    private static String lease(Session session, Optional<StatusReport.Client> status) {
        if (session.observes()) {
            return "looking on";
        }
        return "kept for %s if this kernel dies or restarts"
                .formatted(
                        Sessions.words(
                                Duration.ofSeconds(
                                        status.map(StatusReport.Client::graceSeconds).orElse(0L))));
    }

    private static void list(Cell cell) {
        var all = Known.all(Lease.options());
        if (all.isEmpty()) {
            cell.out().println("no sessions, and none that are over");
        } else {
            cell.display(Sessions.table(all, Instant.now()).display());
        }
    }

    private void close(Optional<String> id, Cell cell) {
        var own = lease.session().filter(Session::isOpen);
        if (own.isPresent() && id.filter(i -> !i.equals(own.get().id())).isEmpty()) {
            var slices = own.get().observes() ? "" : "; " + Sessions.slices(own.get()) + " freed";
            lease.close(false);
            cell.out().println("closed session " + own.get().id() + slices);
            return;
        }
        if (id.isEmpty()) {
            throw new MagicException(
                    "this kernel has no session; say which to close, as in %session close s3");
        }
        try (var session = Session.reclaim(id.get(), Lease.options())) {
            cell.out()
                    .println(
                            "closed session %s; %s freed"
                                    .formatted(session.id(), Sessions.slices(session)));
        }
    }
}
