package org.meshbook.elastic.checkpoint.tier;

import static org.meshbook.elastic.UsageError.require;

import java.nio.file.Files;
import java.nio.file.Path;
import org.meshbook.elastic.checkpoint.tier.format.Retention;

/// Checkpoints on the RAM disks of the hosts: they outlive a worker, not a machine; immutable, each
/// method yields a changed copy.
///
/// @param folder on every host; private to the user
/// @param quotaBytes most bytes that a run may have there on one host
/// @param everySteps a save of a step that this does not divide does nothing here
/// @param copies whether the next slice has a copy of each shard
/// @param keep which complete ones stay
public record RamTier(
        String folder, long quotaBytes, long everySteps, boolean copies, Retention keep) {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /// The system's shared memory, or its folder for temporary files where there is none; every
    /// step, with copies; the newest stays.
    public static final RamTier DEFAULT =
            new RamTier(place(), Long.MAX_VALUE, 1, true, Retention.last(1));

    /// @throws org.meshbook.elastic.UsageError if a number is out of range
    public RamTier {
        require(!folder.isBlank(), "a RAM disk without a folder; name one, as /dev/shm/me");
        require(quotaBytes > 0, "a quota of %d bytes; give a positive one", quotaBytes);
        require(everySteps >= 1, "every %d steps; give a positive number", everySteps);
    }

    private static String place() {
        var base =
                Files.isDirectory(SHARED_MEMORY)
                        ? SHARED_MEMORY
                        : Path.of(System.getProperty("java.io.tmpdir"));
        return base.resolve("meshbook-" + System.getProperty("user.name")).toString();
    }

    /// @param path a folder on every host
    /// @return the changed copy
    public RamTier in(Path path) {
        return new RamTier(path.toString(), quotaBytes, everySteps, copies, keep);
    }

    /// @param bytes most bytes that a run may have on one host
    /// @return the changed copy
    public RamTier quota(long bytes) {
        return new RamTier(folder, bytes, everySteps, copies, keep);
    }

    /// @param steps a save of a step that this does not divide does nothing here
    /// @return the changed copy
    public RamTier every(long steps) {
        return new RamTier(folder, quotaBytes, steps, copies, keep);
    }

    /// @return the changed copy: shards are on one host only
    public RamTier withoutCopies() {
        return new RamTier(folder, quotaBytes, everySteps, false, keep);
    }

    /// @param retention which complete ones stay
    /// @return the changed copy
    public RamTier keep(Retention retention) {
        return new RamTier(folder, quotaBytes, everySteps, copies, retention);
    }
}
