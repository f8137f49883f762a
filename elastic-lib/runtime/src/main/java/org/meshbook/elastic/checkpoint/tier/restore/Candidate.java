package org.meshbook.elastic.checkpoint.tier.restore;

import java.util.List;
import java.util.Map;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;

/// A complete step in a tier, as far as one can tell without reading its bytes.
///
/// @param tier where it is
/// @param store where its files are
/// @param manifest what it holds
/// @param sources which host has each file; empty if any can read all
/// @param visible whose folders each host can read
public record Candidate(
        Tier tier,
        StoreAt store,
        Manifest manifest,
        Map<String, Place> sources,
        Map<Place, List<Place>> visible) {
    public Candidate {
        sources = Map.copyOf(sources);
        visible = Map.copyOf(visible);
    }

    /// @param place a host
    /// @return whether it can read every file by itself
    boolean readableAt(Place place) {
        return sources.isEmpty()
                ? store.shared()
                : visible.getOrDefault(place, List.of()).containsAll(sources.values());
    }

    /// @return number of the step
    public long step() {
        return manifest.step();
    }
}
