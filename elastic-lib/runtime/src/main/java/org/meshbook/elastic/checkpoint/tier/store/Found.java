package org.meshbook.elastic.checkpoint.tier.store;

import java.util.Map;

/// A committed step in a store.
///
/// @param step number of the step
/// @param attempt which save of it; empty if the manifest is damaged
/// @param files lengths by name
/// @param damage why it cannot be used; empty if nothing is known
public record Found(long step, String attempt, Map<String, Long> files, String damage) {
    public Found {
        files = Map.copyOf(files);
    }
}
