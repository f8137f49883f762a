package org.meshbook.magics.slices;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.controller.session.Known;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.wire.SessionFile;
import org.meshbook.magics.render.Table;

/// How sessions are told of.
final class Sessions {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private Sessions() {}

    /// One line for a kernel that has just begun: what waits, and what can be done with it.
    static List<String> offers() {
        return Known.waiting(Lease.options()).stream()
                .map(
                        one ->
                                "session %s with %s%s was left %s ago by %s; %%attach %s takes it over, %%session close %s frees it, else it ends at %s"
                                        .formatted(
                                                one.id(),
                                                count(one.slices()),
                                                one.names().isEmpty()
                                                        ? ""
                                                        : " and " + String.join(", ", one.names()),
                                                ago(one.since(), Instant.now()),
                                                holder(one),
                                                one.id(),
                                                one.id(),
                                                clock(one.until())))
                .toList();
    }

    static Table table(List<SessionFile> sessions, Instant now) {
        var table = Table.of("session", "of", "state", "slices", "published", "since");
        for (var one : sessions) {
            table =
                    table.row(
                            one.id(),
                            holder(one),
                            state(one),
                            one.slices(),
                            one.names().isEmpty() ? "-" : String.join(", ", one.names()),
                            clock(one.since()) + " (" + ago(one.since(), now) + ")");
        }
        return table;
    }

    private static String state(SessionFile one) {
        return switch (one.state()) {
            case ATTACHED -> "attached";
            case DETACHED -> "waits until " + clock(one.until());
            case EXPIRED -> "expired";
            case CLOSED -> "ended: " + one.why();
        };
    }

    /// @return as " (the last one, s3, ended at 20:31:05: its grace period is over)"; empty if
    ///   there was none
    static String lastEnded() {
        return Known.all(Lease.options()).reversed().stream()
                .filter(SessionFile::isOver)
                .findFirst()
                .map(
                        one ->
                                " (the last one, %s, ended at %s: %s)"
                                        .formatted(one.id(), clock(one.since()), one.why()))
                .orElse("");
    }

    static String holder(SessionFile one) {
        var process = "pid " + one.pid();
        return one.name().equals(process) ? process : one.name() + ", " + process;
    }

    static String slices(Session session) {
        var view = session.membership().now().view();
        int healthy = view.healthy().size();
        int all = view.slices().size();
        return all == 0
                ? "no slices"
                : healthy == all
                        ? count(all)
                        : "%s, %d of them healthy".formatted(count(all), healthy);
    }

    static String count(int slices) {
        return slices == 1 ? "1 slice" : slices + " slices";
    }

    static String clock(Instant at) {
        return CLOCK.format(at);
    }

    static String ago(Instant then, Instant now) {
        return words(Duration.between(then, now));
    }

    /// @return as "10 min"
    static String words(Duration ago) {
        return ago.toHours() > 0
                ? ago.toHours() + " h"
                : ago.toMinutes() > 0
                        ? ago.toMinutes() + " min"
                        : Math.max(0, ago.toSeconds()) + " s";
    }
}
