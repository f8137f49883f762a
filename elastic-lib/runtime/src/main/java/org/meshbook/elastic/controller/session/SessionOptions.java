package org.meshbook.elastic.controller.session;

import static org.meshbook.elastic.UsageError.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// How to open a session.
///
/// @param name shown in tables, as "kernel" or "run lose-a-slice.ipynb"
/// @param grace how long slices are kept after an unclean drop, or after a close for a restart
/// @param token of a session to attach to again
/// @param folder runtime folder of the head; empty takes the environment's
public record SessionOptions(
        String name, Duration grace, Optional<String> token, Optional<Path> folder) {
    private static final Duration GRACE = Duration.ofMinutes(10);

    public SessionOptions {
        require(!name.isBlank(), "a session needs a name; none was given");
        require(!grace.isNegative(), "a grace period of %s is negative", grace);
    }

    /// @param name shown in tables
    /// @return a new session with ten minutes of grace
    public static SessionOptions named(String name) {
        return new SessionOptions(name, GRACE, Optional.empty(), Optional.empty());
    }

    /// @param grace see [#grace()]
    /// @return a changed copy
    public SessionOptions withGrace(Duration grace) {
        return new SessionOptions(name, grace, token, folder);
    }

    /// @param token see [Session#token()]
    /// @return a changed copy
    public SessionOptions withToken(String token) {
        return new SessionOptions(name, grace, Optional.of(token), folder);
    }

    /// @param folder see [#folder()]
    /// @return a changed copy
    public SessionOptions withFolder(Path folder) {
        return new SessionOptions(name, grace, token, Optional.of(folder));
    }
}
