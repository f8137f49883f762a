package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.manager.ElasticEvent.AttemptEnded;
import org.meshbook.elastic.manager.ElasticEvent.AttemptStarted;
import org.meshbook.elastic.manager.ElasticEvent.Kind;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices.Scope;

/// The state machine of one [Manager#elasticRetry]. Order at an event: close what the attempt
/// opened, free its arrays, event callback, policy, wait, adopt, before-attempt callback, program.
final class RetryLoop<T extends @Nullable Object, X extends Exception> {
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

    private final Manager manager;
    private final Retry retry;
    private final Attempted<T, X> body;
    private final Clock clock;
    private int number;
    private int downs;
    private int ups;
    private int stepless;
    private long highest = -1;
    private Duration lastEvent;

    RetryLoop(Manager manager, Retry retry, Attempted<T, X> body) {
        this.manager = manager;
        this.retry = retry;
        this.body = body;
        this.clock = manager.slices().clock();
        this.lastEvent = clock.elapsed();
        int total = manager.totalSliceCount();
        require(
                retry.waits().minimum() <= total,
                "a retry on at least %d slices, the allocation has %d; ask for fewer",
                retry.waits().minimum(),
                total);
    }

    Manager manager() {
        return manager;
    }

    int minimum() {
        int asked = retry.waits().minimum();
        return asked == 0 ? manager.totalSliceCount() : asked;
    }

    T run() throws X {
        while (true) {
            number++;
            @Nullable Scope scope = null;
            @Nullable Attempt attempt = null;
            try {
                // 1. wait until enough slices answer, and use all that do
                var active = waitAndAdopt();
                attempt = new Attempt(this, number, active);
                scope = manager.slices().openScope("attempt " + number);
                manager.slices().reached(-1);
                // 2. tell, and let the caller prepare
                var started = new AttemptStarted(clock.now(), number, active);
                manager.tell(started);
                retry.callbacks().beforeAttempt().accept(started);
                // 3. run
                T value = body.run(attempt);
                attempt.end();
                scope.leave();
                finish();
                return value;
            } catch (SliceLost lost) {
                // 4. a loss: free, tell, ask, and try again
                recover(lost, attempt, scope);
            } catch (ScaleUp up) {
                again(Kind.UP, up.slices(), up, attempt, scope, clock.elapsed());
            } catch (Throwable other) {
                abandon(other, attempt, scope);
                throw other;
            }
        }
    }

    void completed(long step) {
        highest = Math.max(highest, step);
        manager.completed(step);
    }

    private Set<Integer> waitAndAdopt() {
        try {
            var waits = retry.waits();
            var found = manager.await(minimum(), waits.poll(), waits.within());
            manager.adopt(found.healthy(), found.generations());
            manager.meter().active(found.healthy().size());
            manager.ledger().adopted(found.healthy().size());
            return manager.activeSliceIndices();
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for slices", e);
        }
    }

    private void recover(SliceLost lost, @Nullable Attempt attempt, @Nullable Scope scope) {
        var noticed = clock.elapsed();
        if (!lost.certain() && retry.limits().confirmUncertain() && allHealthy()) {
            abandon(lost, attempt, scope);
            throw lost;
        }
        again(Kind.DOWN, lost.slices(), lost, attempt, scope, noticed);
    }

    private boolean allHealthy() {
        try {
            var active = manager.activeSliceIndices();
            // One that died and is back answers, too.
            return manager.probe(active).healthy().equals(active) && !manager.lossIsPending();
        } catch (InterruptedException e) {
            throw new Interrupted("probing after an uncertain loss", e);
        }
    }

    private void again(
            Kind kind,
            Set<Integer> slices,
            ElasticException error,
            @Nullable Attempt attempt,
            @Nullable Scope scope,
            Duration noticed) {
        // 1. count
        long steps = attempt == null ? 0 : attempt.steps();
        var limits = retry.limits();
        if (limits.healthyAfter() > 0 && steps >= limits.healthyAfter()) {
            downs = 0;
        }
        downs += kind == Kind.DOWN ? 1 : 0;
        ups += kind == Kind.UP ? 1 : 0;
        stepless = steps > 0 ? 0 : stepless + 1;
        var event =
                new AttemptEnded(
                        clock.now(),
                        number,
                        kind,
                        slices,
                        attempt == null ? -1 : attempt.last(),
                        downs,
                        ups,
                        noticed.minus(lastEvent),
                        error);
        lastEvent = noticed;
        manager.ledger().ended(event, highest, noticed);
        manager.tell(event);
        // 2. close what the attempt opened, and free what it made
        try {
            if (attempt != null) {
                attempt.end();
            }
            if (scope != null) {
                scope.close();
            }
            manager.withdraw(manager.availableInactiveSlices());
            // 3. tell the caller, who may clean up
            retry.callbacks().onEvent().accept(event);
        } catch (RuntimeException e) {
            suppress(e, error);
            throw e;
        }
        // 4. ask whether to go on
        decide(event, error);
        pause();
    }

    private void decide(AttemptEnded event, ElasticException error) {
        var limits = retry.limits();
        if (event.kind() == Kind.DOWN && downs >= limits.attempts()) {
            throw giveUp("the limit is " + limits.attempts() + " attempts", error);
        }
        if (stepless >= limits.noProgressAfter()) {
            throw giveUp(
                    "no progress: "
                            + stepless
                            + " attempts in a row without attempt.completed(step)",
                    error);
        }
        if (!limits.policy().again(event)) {
            throw giveUp("the policy says stop", error);
        }
    }

    private ElasticGaveUp giveUp(String why, ElasticException error) {
        var message = "attempt %d failed: %s; %s".formatted(number, error.getMessage(), why);
        manager.tell(new ElasticEvent.GaveUp(clock.now(), number, why));
        return new ElasticGaveUp(number, message, error);
    }

    private void pause() {
        var pause = retry.waits().backoff();
        for (int i = 1; i < downs && pause.compareTo(LONGEST_BACKOFF) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        try {
            clock.await(
                    pause.compareTo(LONGEST_BACKOFF) < 0 ? pause : LONGEST_BACKOFF, () -> false);
        } catch (InterruptedException e) {
            throw new Interrupted("pausing before the next attempt", e);
        }
    }

    private void finish() {
        manager.ledger().finished();
        manager.tell(new ElasticEvent.Finished(clock.now(), number));
    }

    /// Ends without another attempt. A person's stop leaves the arrays alone; a failure frees them.
    private static void abandon(Throwable why, @Nullable Attempt attempt, @Nullable Scope scope) {
        try {
            if (attempt != null) {
                attempt.end();
            }
        } catch (RuntimeException e) {
            suppress(why, e);
        }
        if (scope == null) {
            return;
        }
        try {
            if (why instanceof Interrupted
                    || why instanceof InterruptedException
                    || why instanceof Error) {
                scope.leave();
            } else {
                scope.close();
            }
        } catch (RuntimeException e) {
            suppress(why, e);
        }
    }

    private static void suppress(Throwable thrown, Throwable beside) {
        if (thrown != beside) {
            thrown.addSuppressed(beside);
        }
    }
}
