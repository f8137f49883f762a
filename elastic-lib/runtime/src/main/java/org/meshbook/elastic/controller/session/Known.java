package org.meshbook.elastic.controller.session;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.wire.SessionFile;

/// The sessions of this user's head, as the head wrote them down: no round trip, and no wait for a
/// head that hangs.
public final class Known {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private Known() {}

    /// @param options which head
    /// @return those that live and those that are over, the oldest first
    public static List<SessionFile> all(SessionOptions options) {
        var heads = Session.heads(options);
        var head = heads.find();
        return SessionFile.all(heads.folder()).stream()
                .map(
                        file ->
                                head.filter(h -> h.pid() == file.head()).isPresent()
                                        ? file
                                        : over(file))
                .toList();
    }

    /// @param options which head
    /// @return those that wait for a client and have slices
    public static List<SessionFile> waiting(SessionOptions options) {
        return all(options).stream()
                .filter(one -> one.state() == SessionFile.State.DETACHED && one.slices() > 0)
                .toList();
    }

    /// @throws UsageError if it is over or was never there; one line that says which
    static SessionFile living(String id, SessionOptions options) {
        var all = all(options);
        var found =
                all.stream()
                        .filter(one -> one.id().equals(id))
                        .findFirst()
                        .orElseThrow(() -> unknown(id, all));
        UsageError.require(
                !found.isOver(),
                "session %s %s at %s: %s; its slices are freed: provision others, as in %%slices 4",
                id,
                found.state() == SessionFile.State.EXPIRED ? "expired" : "ended",
                CLOCK.format(found.since()),
                found.why());
        return found;
    }

    private static UsageError unknown(String id, List<SessionFile> all) {
        var living = all.stream().filter(one -> !one.isOver()).toList();
        return new UsageError(
                "no session is called '%s'; %s",
                id,
                living.isEmpty()
                        ? "none is there, so provision slices, as in %slices 4"
                        : "there is "
                                + living.stream()
                                        .map(SessionFile::id)
                                        .collect(Collectors.joining(", ")));
    }

    /// A head that was killed could not write down that its sessions ended with it.
    private static SessionFile over(SessionFile file) {
        return file.isOver()
                ? file
                : file.ended(
                        SessionFile.State.CLOSED,
                        "its head (pid %d) was killed".formatted(file.head()),
                        file.since());
    }
}
