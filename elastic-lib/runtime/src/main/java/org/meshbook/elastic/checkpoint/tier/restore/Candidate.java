package org.meshbook.elastic.checkpoint.tier.restore;

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
/// @param sources which host reads each file; empty if any can
public record Candidate(Tier tier, StoreAt store, Manifest manifest, Map<String, Place> sources) {
    public Candidate {
        sources = Map.copyOf(sources);
    }

    /// @return number of the step
    public long step() {
        return manifest.step();
    }
}
