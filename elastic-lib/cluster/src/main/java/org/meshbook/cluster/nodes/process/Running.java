package org.meshbook.cluster.nodes.process;

import java.time.Instant;
import java.util.Optional;

/// A container that was started.
public interface Running {
    /// @return how it ended, once it has
    Optional<Exit> exit();

    /// @return when it will end, if that is known ahead
    Optional<Instant> due();

    /// Asks it to end, as SIGTERM does.
    void terminate();

    /// Ends it and all that it started, as SIGKILL does.
    void kill();
}
