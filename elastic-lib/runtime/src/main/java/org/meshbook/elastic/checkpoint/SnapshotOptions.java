package org.meshbook.elastic.checkpoint;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;

/// How snapshots are kept; immutable, each method yields a changed copy.
///
/// @param replicaAxis index of the mesh axis along which whole copies lie
/// @param kept how many complete snapshots stay
/// @param budgetBytes host memory that each replica may use for them, one in flight included
/// @param copyWithin how long one copy may take
/// @param autoReplicate whether small arrays on one device are copied to every replica
public record SnapshotOptions(
        int replicaAxis, int kept, long budgetBytes, Duration copyWithin, boolean autoReplicate) {
    /// First axis, one snapshot, no budget, ten minutes, small arrays are replicated.
    public static final SnapshotOptions DEFAULT =
            new SnapshotOptions(0, 1, Long.MAX_VALUE, Duration.ofMinutes(10), true);

    /// @throws org.meshbook.elastic.UsageError if a number is out of range
    public SnapshotOptions {
        require(replicaAxis >= 0, "replica axis %d; indices start at 0", replicaAxis);
        require(kept >= 1, "%d snapshots kept; keep at least 1", kept);
        require(budgetBytes > 0, "a budget of %d bytes; give a positive one", budgetBytes);
        require(copyWithin.isPositive(), "copies within %s; give a positive time", copyWithin);
    }

    /// @param axis index of the mesh axis along which whole copies lie
    /// @return the changed copy
    public SnapshotOptions replicaAxis(int axis) {
        return new SnapshotOptions(axis, kept, budgetBytes, copyWithin, autoReplicate);
    }

    /// @param snapshots how many complete ones stay
    /// @return the changed copy
    public SnapshotOptions keep(int snapshots) {
        return new SnapshotOptions(replicaAxis, snapshots, budgetBytes, copyWithin, autoReplicate);
    }

    /// @param bytes host memory that each replica may use, one copy in flight included
    /// @return the changed copy
    public SnapshotOptions budget(long bytes) {
        return new SnapshotOptions(replicaAxis, kept, bytes, copyWithin, autoReplicate);
    }

    /// @param time how long one copy may take
    /// @return the changed copy
    public SnapshotOptions copyWithin(Duration time) {
        return new SnapshotOptions(replicaAxis, kept, budgetBytes, time, autoReplicate);
    }

    /// @param replicate whether arrays of up to 16 MiB that lie on one device alone are copied to
    ///   every replica at the save, and go back to one device at the load; otherwise they are
    ///   refused
    /// @return the changed copy
    public SnapshotOptions autoReplicate(boolean replicate) {
        return new SnapshotOptions(replicaAxis, kept, budgetBytes, copyWithin, replicate);
    }

    void checkBudget(long bytesEach) {
        long copies = kept + 1L;
        require(
                bytesEach <= budgetBytes / copies,
                "a snapshot takes %d bytes at each replica, %d with one in flight; the budget is %d:"
                        + " keep fewer, or raise it",
                bytesEach,
                bytesEach * copies,
                budgetBytes);
    }
}
