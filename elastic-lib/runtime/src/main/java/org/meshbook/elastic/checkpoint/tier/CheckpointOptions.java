package org.meshbook.elastic.checkpoint.tier;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.Optional;
import org.meshbook.elastic.checkpoint.Snapshotter;

/// Which tiers a run has; immutable, each method yields a changed copy.
///
/// @param ram RAM disks of the hosts
/// @param durable a bucket or a folder that outlives the machines
/// @param snapshots host copies, the first tier of a restore
/// @param within how long a save may take
public record CheckpointOptions(
        Optional<RamTier> ram,
        Optional<DurableTier> durable,
        Optional<Snapshotter> snapshots,
        Duration within) {
    /// RAM disks, each step; a quarter of an hour.
    public static final CheckpointOptions DEFAULT =
            new CheckpointOptions(
                    Optional.of(RamTier.DEFAULT),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofMinutes(15));

    /// @throws org.meshbook.elastic.UsageError if there is no tier, or no time
    public CheckpointOptions {
        require(
                ram.isPresent() || durable.isPresent(),
                "checkpoints without a tier; give a RAM disk or a durable place");
        require(within.isPositive(), "saves within %s; give a positive time", within);
    }

    /// @param tier RAM disks of the hosts
    /// @return the changed copy
    public CheckpointOptions ram(RamTier tier) {
        return new CheckpointOptions(Optional.of(tier), durable, snapshots, within);
    }

    /// @param tier a bucket or a folder that outlives the machines
    /// @return the changed copy
    public CheckpointOptions durable(DurableTier tier) {
        return new CheckpointOptions(ram, Optional.of(tier), snapshots, within);
    }

    /// @param tier the only one
    /// @return the changed copy
    public CheckpointOptions onlyDurable(DurableTier tier) {
        return new CheckpointOptions(Optional.empty(), Optional.of(tier), snapshots, within);
    }

    /// @param snapshotter whose copies are the first tier of a restore
    /// @return the changed copy
    public CheckpointOptions snapshots(Snapshotter snapshotter) {
        return new CheckpointOptions(ram, durable, Optional.of(snapshotter), within);
    }

    /// @param time how long a save may take
    /// @return the changed copy
    public CheckpointOptions within(Duration time) {
        return new CheckpointOptions(ram, durable, snapshots, time);
    }
}
