package org.meshbook.cluster.kubernetes;

import java.time.Duration;

/// How long to wait for a server.
///
/// @param first before the first new try of a watch; doubled each time
/// @param most the longest wait between tries
/// @param silence how long a watch may be silent before it is taken for dead; servers send a
///   bookmark each minute
/// @param answer for one answer
record Patience(Duration first, Duration most, Duration silence, Duration answer) {
    static final Patience DEFAULT =
            new Patience(
                    Duration.ofMillis(200),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(3),
                    Duration.ofSeconds(30));

    /// @param failures how many tries failed in a row, from 1
    /// @return how long to wait before the next one
    Duration before(int failures) {
        var wait = first.multipliedBy(1L << Math.min(failures - 1, 20));
        return wait.compareTo(most) > 0 ? most : wait;
    }
}
