package org.meshbook.cluster.kubernetes;

import java.time.Instant;
import org.meshbook.cluster.ResourceKind;

/// How a watch fares.
///
/// @param kind what is watched
/// @param heard when something last came from the server
/// @param failures how many tries failed since then
/// @param problem why the last one failed, `""` if none did
public record WatchStatus(ResourceKind kind, Instant heard, int failures, String problem) {
    /// @return whether the server answers
    public boolean live() {
        return failures == 0;
    }
}
