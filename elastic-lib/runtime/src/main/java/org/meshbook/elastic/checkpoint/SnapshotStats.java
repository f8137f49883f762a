package org.meshbook.elastic.checkpoint;

import java.util.Optional;

/// What became of the saves so far.
///
/// @param accepted saves that began
/// @param completed saves that can be restored, or could be until a newer one replaced them
/// @param skipped saves that found another one in flight
/// @param failed saves that a loss or another failure ended; the older snapshot stayed
/// @param lastFailure the newest of these failures
public record SnapshotStats(
        long accepted, long completed, long skipped, long failed, Optional<Throwable> lastFailure) {
    SnapshotStats plus(
            long accepted, long completed, long skipped, long failed, Optional<Throwable> last) {
        return new SnapshotStats(
                this.accepted + accepted,
                this.completed + completed,
                this.skipped + skipped,
                this.failed + failed,
                last.or(() -> lastFailure));
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
