package org.meshbook.elastic.checkpoint.tier.restore;

import org.meshbook.elastic.checkpoint.tier.format.Tier;

/// Why a step was not restored from a tier.
///
/// @param tier where it was looked for
/// @param step number of the step; 0 if the tier as a whole could not be read
/// @param reason one line
public record Refusal(Tier tier, long step, String reason) {
    @Override
    public String toString() {
        return (step == 0 ? "" : "step " + step + " ") + tier.word() + ": " + reason;
    }
}
