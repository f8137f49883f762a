package org.meshbook.elastic.wire;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/// What the head writes down of one session, so that a client that comes later can attach to it, or
/// is told why it cannot.
///
/// The file `session-ID` lies in the runtime folder with mode 0600 and holds lines of `key=value`;
/// it is the only place outside of processes' memory where a session's tokens are. When the session
/// ends the tokens go, and the rest stays for a while.
///
/// @param id what the head calls the session
/// @param name what its client calls it
/// @param pid the client's process
/// @param head the head's process
/// @param state where it is in its life
/// @param slices how many it has
/// @param since when it entered its state
/// @param grace how long it is kept without a client
/// @param names what is published
/// @param token attaches; empty once it has ended
/// @param observer observes; empty once it has ended
/// @param why why it ended; empty before
public record SessionFile(
        String id,
        String name,
        long pid,
        long head,
        State state,
        int slices,
        Instant since,
        Duration grace,
        List<String> names,
        String token,
        String observer,
        String why) {
    private static final String PREFIX = "session-";
    private static final Pattern ID = Pattern.compile("s[0-9]{1,9}");

    /// Where a session is in its life.
    public enum State {
        /// A client has it.
        ATTACHED,
        /// Its grace runs.
        DETACHED,
        /// Nobody came back within its grace; its slices are freed.
        EXPIRED,
        /// Somebody ended it, or its head is gone; its slices are freed.
        CLOSED
    }

    /// @return whether it is over
    public boolean isOver() {
        return state == State.EXPIRED || state == State.CLOSED;
    }

    public SessionFile {
        names = List.copyOf(names);
    }

    /// @param folder where; the file is replaced
    /// @throws IOException if it cannot be written
    public void write(RuntimeFolder folder) throws IOException {
        PrivateFile.write(folder, PREFIX + id, text());
    }

    private String text() {
        return """
        id=%s
        name=%s
        pid=%d
        head=%d
        state=%s
        slices=%d
        since=%d
        grace=%d
        names=%s
        token=%s
        observer=%s
        why=%s
        """
                .formatted(
                        id,
                        oneLine(name),
                        pid,
                        head,
                        state.name().toLowerCase(Locale.ROOT),
                        slices,
                        since.toEpochMilli(),
                        grace.toMillis(),
                        String.join(",", names),
                        token,
                        observer,
                        oneLine(why));
    }

    /// @param folder where
    /// @return all sessions that were written down there, the oldest first
    public static List<SessionFile> all(RuntimeFolder folder) {
        var found = new ArrayList<SessionFile>();
        try (var files = Files.newDirectoryStream(folder.path(), PREFIX + "s*")) {
            for (var file : files) {
                read(file).ifPresent(found::add);
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        found.sort(Comparator.comparingInt(SessionFile::number));
        return found;
    }

    /// @param folder where
    /// @param id what a person typed
    /// @return that session, if it was written down there
    public static Optional<SessionFile> find(RuntimeFolder folder, String id) {
        return ID.matcher(id).matches() ? read(folder.file(PREFIX + id)) : Optional.empty();
    }

    /// @param folder where the file is taken away
    /// @throws IOException if it cannot be
    public void remove(RuntimeFolder folder) throws IOException {
        Files.deleteIfExists(folder.file(PREFIX + id));
    }

    /// @return the number in the id
    public int number() {
        return Integer.parseInt(id.substring(1));
    }

    /// @return when its grace ends; of use while it is detached
    public Instant until() {
        return since.plus(grace);
    }

    /// @param how expired or closed
    /// @param reason one line
    /// @param at when
    /// @return the session after its end, without its tokens
    public SessionFile ended(State how, String reason, Instant at) {
        return new SessionFile(id, name, pid, head, how, 0, at, grace, List.of(), "", "", reason);
    }

    @Override
    public String toString() {
        return "session " + id + " " + state + " pid=" + pid;
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\\\\\p{Cntrl}]", " ");
    }

    private static Optional<SessionFile> read(Path file) {
        try {
            var facts = new Properties();
            facts.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
            var id = facts.getProperty("id", "");
            return ID.matcher(id).matches() && file.endsWith(PREFIX + id)
                    ? Optional.of(of(id, facts))
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    private static SessionFile of(String id, Properties facts) {
        return new SessionFile(
                id,
                facts.getProperty("name", ""),
                Long.parseLong(facts.getProperty("pid", "")),
                Long.parseLong(facts.getProperty("head", "")),
                State.valueOf(facts.getProperty("state", "").toUpperCase(Locale.ROOT)),
                Integer.parseInt(facts.getProperty("slices", "")),
                Instant.ofEpochMilli(Long.parseLong(facts.getProperty("since", ""))),
                Duration.ofMillis(Long.parseLong(facts.getProperty("grace", ""))),
                facts.getProperty("names", "").isEmpty()
                        ? List.of()
                        : List.of(facts.getProperty("names").split(",")),
                facts.getProperty("token", ""),
                facts.getProperty("observer", ""),
                facts.getProperty("why", ""));
    }
}
