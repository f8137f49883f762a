package org.meshbook.elastic.checkpoint;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.HostCopy;

/// What [Snapshotter#save] did.
public sealed interface SaveResult {
    /// @return the step that was to be saved
    long step();

    /// @return whether a save began
    default boolean accepted() {
        return this instanceof Accepted;
    }

    /// Another save was still in flight; nothing was done.
    ///
    /// @param step the step that was to be saved
    /// @param inFlight the step that is being saved
    record SkippedBusy(long step, long inFlight) implements SaveResult {}

    /// The save began; copies are under way.
    final class Accepted implements SaveResult {
        private final long step;
        private final long bytes;
        private final Clock clock;
        private volatile @Nullable HostCopy copy;
        private volatile boolean done;
        private volatile @Nullable Throwable failure;

        Accepted(long step, long bytes, Clock clock) {
            this.step = step;
            this.bytes = bytes;
            this.clock = clock;
        }

        @Override
        public long step() {
            return step;
        }

        /// @return host memory that it takes at each replica; the snapshots that are complete, and
        ///   one in flight, each take as much
        public long bytes() {
            return bytes;
        }

        /// @return slices that it still waits for; no round trip
        public Set<Integer> waitsFor() {
            var under = copy;
            return under == null || done ? Set.of() : under.pending();
        }

        /// @return whether it has ended, well or not
        public boolean done() {
            return done;
        }

        /// @return why it failed, once it has
        public Optional<Throwable> failure() {
            return Optional.ofNullable(failure);
        }

        /// @param timeout how long at most
        /// @return whether it is complete; false if it failed or still runs
        public boolean await(Duration timeout) {
            try {
                return clock.await(timeout, () -> done) && failure == null;
            } catch (InterruptedException e) {
                throw new Interrupted("waiting for the snapshot of step " + step, e);
            }
        }

        void begun(HostCopy started) {
            copy = started;
        }

        void end(@Nullable Throwable why) {
            copy = null;
            failure = why;
            done = true;
            clock.wake();
        }

        @Override
        public String toString() {
            var why = failure;
            if (why != null) {
                return "snapshot of step " + step + ", failed: " + why.getMessage();
            }
            var slices = waitsFor();
            return "snapshot of step "
                    + step
                    + (done ? ", complete" : ", in flight")
                    + (slices.isEmpty() ? "" : ", waits for slices " + slices);
        }
    }
}
