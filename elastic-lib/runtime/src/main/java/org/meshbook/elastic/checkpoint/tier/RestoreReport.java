package org.meshbook.elastic.checkpoint.tier;

import java.time.Duration;
import java.util.List;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.checkpoint.tier.restore.Refusal;

/// What a restore took, and why it did not take something else.
///
/// @param tier where the state came from
/// @param step number of the step
/// @param bytes of its arrays
/// @param took from the first look to the last byte in place
/// @param refused steps and tiers that came before in the order and could not be taken
public record RestoreReport(
        Tier tier, long step, long bytes, Duration took, List<Refusal> refused) {
    private static final double MEGA = 1e6;

    public RestoreReport {
        refused = List.copyOf(refused);
    }

    /// @return as "step 120 from peer: 268.4 MB in 240 ms (1118 MB/s)", and a line for each refusal
    @Override
    public String toString() {
        double seconds = Math.max(took.toNanos(), 1) / 1e9;
        var text =
                new StringBuilder(
                        "step %d from %s: %.1f MB in %d ms (%.0f MB/s)"
                                .formatted(
                                        step,
                                        tier.word(),
                                        bytes / MEGA,
                                        took.toMillis(),
                                        bytes / MEGA / seconds));
        refused.forEach(each -> text.append("\nnot ").append(each));
        return text.toString();
    }
}
