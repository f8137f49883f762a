package org.meshbook.elastic.checkpoint;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.slices.Clock;

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
        private final Clock clock;
        private volatile boolean done;
        private volatile @Nullable Throwable failure;

        Accepted(long step, Clock clock) {
            this.step = step;
            this.clock = clock;
        }

        @Override
        public long step() {
            return step;
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

        void end(@Nullable Throwable why) {
            failure = why;
            done = true;
            clock.wake();
        }

        @Override
        public String toString() {
            return "snapshot of step "
                    + step
                    + (done ? failure == null ? ", complete" : ", failed" : ", in flight");
        }
    }
}
