package org.meshbook.elastic.checkpoint;

import java.util.Optional;

/// What became of the saves so far.
///
/// @param accepted saves that began
/// @param completed saves that can be restored, or could be until a newer one replaced them
/// @param skipped saves that found another one in flight
/// @param failed saves that a loss or another failure ended; the older snapshot stayed
/// @param heldBytes host memory of all workers that complete snapshots take now
/// @param lastFailure the newest of these failures
public record SnapshotStats(
        long accepted,
        long completed,
        long skipped,
        long failed,
        long heldBytes,
        Optional<Throwable> lastFailure) {
    static final SnapshotStats NONE = new SnapshotStats(0, 0, 0, 0, 0, Optional.empty());

    SnapshotStats oneAccepted() {
        return new SnapshotStats(accepted + 1, completed, skipped, failed, heldBytes, lastFailure);
    }

    SnapshotStats oneCompleted() {
        return new SnapshotStats(accepted, completed + 1, skipped, failed, heldBytes, lastFailure);
    }

    SnapshotStats oneSkipped() {
        return new SnapshotStats(accepted, completed, skipped + 1, failed, heldBytes, lastFailure);
    }

    SnapshotStats oneFailed(Throwable why) {
        return new SnapshotStats(
                accepted, completed, skipped, failed + 1, heldBytes, Optional.of(why));
    }

    SnapshotStats holding(long bytes) {
        return new SnapshotStats(accepted, completed, skipped, failed, bytes, lastFailure);
    }

    @Override
    public String toString() {
        return "%d saved, %d in flight, %d skipped, %d failed%s"
                .formatted(
                        completed,
                        accepted - completed - failed,
                        skipped,
                        failed,
                        lastFailure.map(e -> "; last: " + e.getMessage()).orElse(""));
    }
}
