package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.function.Consumer;
import org.meshbook.elastic.manager.ElasticEvent.AttemptEnded;
import org.meshbook.elastic.manager.ElasticEvent.AttemptStarted;

/// How [Manager#elasticRetry] waits, limits and tells; immutable, each method yields a changed
/// copy.
///
/// @param waits when an attempt may start
/// @param limits when to stop trying
/// @param callbacks whom to tell
public record Retry(Waits waits, Limits limits, Callbacks callbacks) {
    /// Longer than any program runs.
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE / 4);

    /// When an attempt may start.
    ///
    /// @param minimum slices that must answer; 0 for all
    /// @param within longest wait for them, for each attempt
    /// @param poll time between probes when nothing is pushed
    /// @param backoff pause before the second attempt; doubles with each loss in a row, up to a
    ///   minute
    public record Waits(int minimum, Duration within, Duration poll, Duration backoff) {
        /// @throws org.meshbook.elastic.UsageError if a number is negative or the poll is zero
        public Waits {
            require(minimum >= 0, "a retry on at least %d slices; numbers start at 1", minimum);
            require(!within.isNegative(), "a wait within %s; times are not negative", within);
            require(
                    poll.isPositive(),
                    "a poll of %s; give a positive time, as Duration.ofSeconds(10)",
                    poll);
            require(!backoff.isNegative(), "a backoff of %s; times are not negative", backoff);
        }
    }

    /// When to stop trying.
    ///
    /// @param attempts attempts that a loss may end, in a row; the last one gives up
    /// @param healthyAfter completed steps in one attempt after which the row starts anew; 0 never
    /// @param noProgressAfter events without a completed step in between that give up
    /// @param confirmUncertain whether a probe must confirm an uncertain loss
    /// @param policy asked last
    public record Limits(
            int attempts,
            int healthyAfter,
            int noProgressAfter,
            boolean confirmUncertain,
            Policy policy) {
        /// @throws org.meshbook.elastic.UsageError if a number is out of range
        public Limits {
            require(attempts >= 1, "a limit of %d attempts; give at least 1", attempts);
            require(healthyAfter >= 0, "healthy after %d steps; give 0 or more", healthyAfter);
            require(
                    noProgressAfter >= 1,
                    "no progress after %d events; give at least 1",
                    noProgressAfter);
        }
    }

    /// Whom to tell, on the thread that called the retry.
    ///
    /// @param beforeAttempt sees the new active set; what it throws ends the attempt as the body's
    ///   would
    /// @param onEvent called after the attempt's arrays are freed and before the policy is asked;
    ///   what it throws ends the retry
    public record Callbacks(
            Consumer<? super AttemptStarted> beforeAttempt,
            Consumer<? super AttemptEnded> onEvent) {}

    /// Decides whether to try again.
    @FunctionalInterface
    public interface Policy {
        /// @param event what ended the attempt, with the counts so far
        /// @return whether to try again
        boolean again(AttemptEnded event);
    }

    /// Runs on any number of slices from `slices` up: a loss shrinks the mesh, a return grows it.
    ///
    /// @param slices the minimum, at least 1
    /// @return the options, otherwise with defaults: wait for ever, poll each 10 s, try for ever
    public static Retry atLeast(int slices) {
        require(slices >= 1, "a retry on at least %d slices; numbers start at 1", slices);
        return all().waits(slices, FOREVER, Duration.ofSeconds(10), Duration.ZERO);
    }

    /// Runs on all slices only: a loss pauses the program until all are back.
    ///
    /// @return the options, otherwise with defaults
    public static Retry all() {
        return new Retry(
                new Waits(0, FOREVER, Duration.ofSeconds(10), Duration.ZERO),
                new Limits(Integer.MAX_VALUE, 0, 5, true, event -> true),
                new Callbacks(event -> {}, event -> {}));
    }

    /// Turns elasticity off: one attempt on whatever slices answer; a loss ends it.
    ///
    /// @return the options
    public static Retry once() {
        return atLeast(1).limit(1);
    }

    /// @param time longest wait for enough slices, for each attempt; then [CapacityTimeout]
    /// @return the changed copy
    public Retry within(Duration time) {
        return waits(waits.minimum, time, waits.poll, waits.backoff);
    }

    /// @param time between probes when nothing is pushed, for the wait and for the monitor
    /// @return the changed copy
    public Retry poll(Duration time) {
        return waits(waits.minimum, waits.within, time, waits.backoff);
    }

    /// @param first pause before the second attempt; doubles with each loss in a row, up to a
    ///   minute
    /// @return the changed copy
    public Retry backoff(Duration first) {
        return waits(waits.minimum, waits.within, waits.poll, first);
    }

    /// @param attempts how many attempts losses may end; growths are not counted
    /// @return the changed copy
    public Retry limit(int attempts) {
        return limits(
                new Limits(
                        attempts,
                        limits.healthyAfter,
                        limits.noProgressAfter,
                        limits.confirmUncertain,
                        limits.policy));
    }

    /// @param steps completed steps in one attempt after which losses are counted anew
    /// @return the changed copy
    public Retry healthyAfter(int steps) {
        return limits(
                new Limits(
                        limits.attempts,
                        steps,
                        limits.noProgressAfter,
                        limits.confirmUncertain,
                        limits.policy));
    }

    /// @param events elastic events without a completed step in between that give up
    /// @return the changed copy
    public Retry noProgressAfter(int events) {
        return limits(
                new Limits(
                        limits.attempts,
                        limits.healthyAfter,
                        events,
                        limits.confirmUncertain,
                        limits.policy));
    }

    /// Takes an uncertain loss for a loss without a confirming probe.
    ///
    /// @return the changed copy
    public Retry trustUncertain() {
        return limits(
                new Limits(
                        limits.attempts,
                        limits.healthyAfter,
                        limits.noProgressAfter,
                        false,
                        limits.policy));
    }

    /// @param policy asked after each event, besides the limits
    /// @return the changed copy
    public Retry policy(Policy policy) {
        return limits(
                new Limits(
                        limits.attempts,
                        limits.healthyAfter,
                        limits.noProgressAfter,
                        limits.confirmUncertain,
                        policy));
    }

    /// @param callback runs before each attempt and sees its active set
    /// @return the changed copy
    public Retry beforeAttempt(Consumer<? super AttemptStarted> callback) {
        return new Retry(waits, limits, new Callbacks(callback, callbacks.onEvent));
    }

    /// @param callback runs after each attempt that an elastic event ended
    /// @return the changed copy
    public Retry onEvent(Consumer<? super AttemptEnded> callback) {
        return new Retry(waits, limits, new Callbacks(callbacks.beforeAttempt, callback));
    }

    private Retry waits(int minimum, Duration within, Duration poll, Duration backoff) {
        return new Retry(new Waits(minimum, within, poll, backoff), limits, callbacks);
    }

    private Retry limits(Limits changed) {
        return new Retry(waits, changed, callbacks);
    }
}
