package org.meshbook.elastic.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.manager.ElasticEvent.AttemptEnded;
import org.meshbook.elastic.manager.ElasticEvent.Kind;
import org.meshbook.elastic.sim.Counting;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceLost;

class ElasticRetryTest {
    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);

    @Test
    void valueOfTheLastAttemptIsReturned() {
        var value =
                manager.elasticRetry(
                        Retry.atLeast(2),
                        attempt -> {
                            if (attempt.number() < 3) {
                                loseSlice(attempt.number());
                            }
                            return "attempt " + attempt.number();
                        });
        assertThat(value).isEqualTo("attempt 3");
    }

    @Test
    void orderIsFreeCallbackPolicyWaitAdoptPrepareRun() {
        var order = new ArrayList<String>();
        var made = new AtomicReference<Array>();
        manager.onEvent(
                event -> {
                    if (event instanceof ElasticEvent.Waiting) {
                        order.add("wait");
                    }
                });
        manager.elasticRetry(
                Retry.all()
                        .onEvent(
                                event -> {
                                    assertThatThrownBy(() -> made.get().toHost())
                                            .hasMessageContaining("attempt 1");
                                    order.add("callback");
                                })
                        .policy(
                                event -> {
                                    order.add("policy");
                                    return true;
                                })
                        .beforeAttempt(
                                started -> order.add("prepare " + manager.activeSliceCount())),
                attempt -> {
                    order.add("run " + attempt.number());
                    if (attempt.number() == 1) {
                        made.set(sim.put(Array.scalar(1.0), Counting.mesh(manager).replicated()));
                        sim.kill(1);
                        made.get().toHost();
                    }
                    return attempt.number();
                });
        assertThat(order)
                .containsExactly(
                        "prepare 4", "run 1", "callback", "policy", "wait", "prepare 4", "run 2");
    }

    @Test
    void whatTheAttemptOpenedIsClosedBeforeAnybodyIsTold() {
        var order = new ArrayList<String>();
        manager.elasticRetry(
                Retry.atLeast(1)
                        .onEvent(event -> order.add("callback"))
                        .policy(event -> order.add("policy")),
                attempt -> {
                    attempt.closing(() -> order.add("reader closed " + attempt.number()));
                    attempt.closing(() -> order.add("trace stopped " + attempt.number()));
                    return attempt.number() == 1 ? loseSlice(1) : 0;
                });
        assertThat(order)
                .containsExactly(
                        "trace stopped 1",
                        "reader closed 1",
                        "callback",
                        "policy",
                        "trace stopped 2",
                        "reader closed 2");
    }

    @Test
    void failureToCloseEndsTheRetryAndKeepsTheLoss() {
        var closed = new AtomicInteger();
        var thrown =
                catchThrowableOfType(
                        IllegalStateException.class,
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1),
                                        attempt -> {
                                            attempt.closing(closed::incrementAndGet);
                                            attempt.closing(
                                                    () -> {
                                                        throw new IllegalStateException("trace");
                                                    });
                                            return loseSlice(1);
                                        }));
        assertThat(thrown).hasMessage("trace");
        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(SliceLost.class);
        assertThat(closed).hasValue(1);
    }

    @Test
    void retryOnceEndsWithTheFirstLoss() {
        var runs = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.once(),
                                        attempt -> {
                                            runs.incrementAndGet();
                                            return loseSlice(1);
                                        }))
                .isInstanceOf(ElasticGaveUp.class)
                .hasCauseInstanceOf(SliceLost.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void flappingSliceUsesUpTheLimitThoughStepsAreDoneBetween() {
        var runs = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.all().limit(4),
                                        attempt -> {
                                            runs.incrementAndGet();
                                            for (long step = 0; ; step++) {
                                                attempt.completed(step);
                                                sim.kill(2);
                                                pause(Duration.ofSeconds(1));
                                            }
                                        }))
                .isInstanceOf(ElasticGaveUp.class)
                .hasMessageContaining("limit is 4 attempts");
        assertThat(runs).hasValue(4);
    }

    @Test
    void sliceZeroMayGo() {
        var value =
                manager.elasticRetry(
                        Retry.atLeast(1),
                        attempt -> {
                            if (attempt.number() == 1) {
                                return loseSlice(0);
                            }
                            assertThat(manager.defaultDevice().slice()).isEqualTo(1);
                            return (int) put().toHost().get(0);
                        });
        assertThat(value).isEqualTo(1);
    }

    @Test
    void lossShrinksToAllThatAnswerNotToTheMinimum() {
        var active = new ArrayList<Set<Integer>>();
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    active.add(attempt.startedOn());
                    if (attempt.number() == 1) {
                        loseSlice(2);
                    }
                    return attempt.number();
                });
        assertThat(active).containsExactly(Set.of(0, 1, 2, 3), Set.of(0, 1, 3));
    }

    @Test
    void pauseResumeWaitsForAllSlices() {
        var before = sim.clock().elapsed();
        manager.elasticRetry(
                Retry.all(),
                attempt -> {
                    assertThat(attempt.startedOn()).hasSize(4);
                    if (attempt.number() == 1) {
                        loseSlice(2);
                    }
                    return attempt.number();
                });
        assertThat(sim.clock().elapsed().minus(before)).isGreaterThan(Duration.ofSeconds(2));
    }

    @Test
    void tooFewSlicesWaitSayForWhomAndGoOn() {
        sim.withoutReturns();
        var said = new ArrayList<String>();
        manager.onEvent(event -> said.add(event.toString()));
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(2).within(Duration.ofMinutes(10)),
                        attempt -> {
                            if (attempt.number() == 1) {
                                sim.at(sim.clock().elapsed().plusSeconds(90), () -> sim.restart(3));
                                var there = put();
                                sim.kill(1);
                                sim.kill(2);
                                sim.kill(3);
                                there.toHost();
                            }
                            assertThat(attempt.startedOn()).containsExactly(0, 3);
                            return attempt.number();
                        });
        // the head tells the three losses one by one, so attempts may start in between
        assertThat(attempts).isGreaterThanOrEqualTo(2);
        assertThat(said)
                .anyMatch(
                        line ->
                                line.contains("waiting for 2 slices: 1 answers (0)")
                                        && line.contains("slice 1 last seen"));
    }

    @Test
    void timeoutOfTheWaitIsNotRetriedAndAsksNoPolicy() {
        sim.withoutReturns();
        var asked = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.all()
                                                .within(Duration.ofSeconds(30))
                                                .policy(event -> asked.incrementAndGet() > 0),
                                        attempt -> loseSlice(1)))
                .isInstanceOf(CapacityTimeout.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void otherExceptionsEndAtOnceWithTheSameException() {
        var called = new AtomicInteger();
        var thrown = new IOException("disk");
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1)
                                                .onEvent(event -> called.incrementAndGet())
                                                .policy(event -> called.incrementAndGet() > 0),
                                        attempt -> {
                                            throw thrown;
                                        }))
                .isSameAs(thrown);
        assertThat(called).hasValue(0);
    }

    @Test
    void failureFreesTheAttemptsArrays() {
        var made = new AtomicReference<Array>();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1),
                                        attempt -> {
                                            made.set(put());
                                            throw new IllegalStateException("bug");
                                        }))
                .hasMessage("bug");
        assertThatThrownBy(() -> made.get().toHost()).isInstanceOf(UsageError.class);
    }

    @Test
    void arraysOfTheAttemptThatSucceededLiveOn() {
        var made = manager.elasticRetry(Retry.atLeast(1), attempt -> put());
        assertThat(made.toHost().get(0)).isEqualTo(1);
    }

    @Test
    void callbackLearnsKindStepAndCounts() {
        var events = new ArrayList<AttemptEnded>();
        manager.elasticRetry(
                Retry.atLeast(1).onEvent(events::add),
                attempt -> {
                    attempt.completed(attempt.number() * 10L);
                    switch (attempt.number()) {
                        case 1 -> loseSlice(1);
                        case 2 -> {
                            pause(Duration.ofSeconds(5));
                            attempt.startOverIfAvailable();
                        }
                        case 3 -> loseSlice(3);
                        default -> {}
                    }
                    return attempt.startedOn();
                });
        assertThat(events)
                .extracting(AttemptEnded::kind)
                .containsExactly(Kind.DOWN, Kind.UP, Kind.DOWN);
        assertThat(events).extracting(AttemptEnded::step).containsExactly(10L, 20L, 30L);
        assertThat(events.get(0).slices()).containsExactly(1);
        assertThat(events.get(1).slices()).containsExactly(1);
        assertThat(events.get(2).downs()).isEqualTo(2);
        assertThat(events.get(2).ups()).isEqualTo(1);
        assertThat(events.get(1).sinceLastEvent()).isGreaterThan(Duration.ofSeconds(5));
    }

    @Test
    void callbackThatThrowsEndsTheRetryAndKeepsTheLoss() {
        var asked = new AtomicInteger();
        var thrown =
                catchThrowableOfType(
                        IllegalStateException.class,
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1)
                                                .onEvent(
                                                        event -> {
                                                            throw new IllegalStateException("cb");
                                                        })
                                                .policy(event -> asked.incrementAndGet() > 0),
                                        attempt -> loseSlice(1)));
        assertThat(thrown).hasMessage("cb");
        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(SliceLost.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void sliceLostWhilePreparingIsRetriedToo() {
        var runs = new AtomicInteger();
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1)
                                .beforeAttempt(
                                        started -> {
                                            if (started.attempt() == 1) {
                                                loseSlice(3);
                                            }
                                        }),
                        attempt -> {
                            runs.incrementAndGet();
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
        assertThat(runs).hasValue(1);
    }

    @Test
    void limitIsTheNumberOfAttempts() {
        var runs = new AtomicInteger();
        var gaveUp =
                catchThrowableOfType(
                        ElasticGaveUp.class,
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1).limit(3),
                                        attempt -> {
                                            runs.incrementAndGet();
                                            attempt.completed(runs.get());
                                            return loseSlice(1 + attempt.number() % 2);
                                        }));
        assertThat(runs).hasValue(3);
        assertThat(gaveUp.attempts()).isEqualTo(3);
        assertThat(gaveUp).hasCauseInstanceOf(SliceLost.class).hasMessageContaining("3 attempts");
    }

    @Test
    void limitCountsNoGrowths() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1).limit(2),
                        attempt -> {
                            attempt.completed(attempt.number());
                            if (attempt.number() == 1) {
                                loseSlice(1);
                            }
                            if (attempt.number() < 6) {
                                manager.activate(Set.of(0, 2));
                                pause(Duration.ofSeconds(25));
                                attempt.startOverIfAvailable();
                            }
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(6);
    }

    @Test
    void healthyStepsStartTheCountOfLossesAnew() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1).limit(2).healthyAfter(10),
                        attempt -> {
                            for (int step = 0; step < 10; step++) {
                                attempt.completed(step);
                            }
                            if (attempt.number() < 6) {
                                loseSlice(1 + attempt.number() % 3);
                            }
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(6);
    }

    @Test
    void eventsWithoutAStepBetweenThemGiveUp() {
        var runs = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1),
                                        attempt -> {
                                            runs.incrementAndGet();
                                            return loseSlice(1 + runs.get() % 3);
                                        }))
                .isInstanceOf(ElasticGaveUp.class)
                .hasMessageContaining("no progress: 5 attempts");
        assertThat(runs).hasValue(5);
    }

    @Test
    void uncertainLossWithAllSlicesHealthyIsNotElastic() {
        var lost = new SliceLost(LossKind.UNCERTAIN, Set.of(1), 0, "internal error");
        var called = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1).onEvent(event -> called.incrementAndGet()),
                                        attempt -> {
                                            throw lost;
                                        }))
                .isSameAs(lost);
        assertThat(called).hasValue(0);
    }

    @Test
    void uncertainLossThatAProbeConfirmsIsRetried() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1),
                        attempt -> {
                            if (attempt.number() == 1) {
                                sim.withoutReturns().kill(1);
                                throw new SliceLost(
                                        LossKind.UNCERTAIN, Set.of(1), 0, "internal error");
                            }
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void uncertainLossOfASliceThatIsBackAlreadyIsConfirmed() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1),
                        attempt -> {
                            if (attempt.number() == 1) {
                                sim.kill(1);
                                pause(Duration.ofSeconds(20));
                                throw new SliceLost(
                                        LossKind.UNCERTAIN, Set.of(1), 0, "internal error");
                            }
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void ownErrorWhoseTextSaysInternalIsNotRetried() {
        var thrown = new IllegalStateException("INTERNAL: DATA_LOSS of my socks");
        var runs = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1).trustUncertain(),
                                        attempt -> {
                                            runs.incrementAndGet();
                                            throw thrown;
                                        }))
                .isSameAs(thrown);
        assertThat(runs).hasValue(1);
    }

    @Test
    void uncertainLossCanBeTrusted() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1).trustUncertain(),
                        attempt -> {
                            if (attempt.number() == 1) {
                                throw new SliceLost(
                                        LossKind.UNCERTAIN, Set.of(1), 0, "internal error");
                            }
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void lossIsFoundAtTheStepBoundaryEvenIfNoValueIsRead() {
        var steps = new ArrayList<Long>();
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1),
                        attempt -> {
                            for (long step = 0; step < 10; step++) {
                                if (attempt.number() == 1 && step == 3) {
                                    sim.kill(2);
                                    pause(Duration.ofMillis(60));
                                }
                                attempt.completed(step);
                                steps.add(step);
                            }
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
        assertThat(steps.subList(0, 4)).containsExactly(0L, 1L, 2L, 0L);
    }

    @Test
    void lossThatWasSwallowedIsRaisedAtTheNextBoundary() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1),
                        attempt -> {
                            if (attempt.number() == 1) {
                                var there = put();
                                sim.kill(2);
                                // As a logger does with what the text of an argument throws.
                                assertThatThrownBy(there::toHost).isInstanceOf(SliceLost.class);
                            }
                            attempt.completed(0);
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void sliceThatDiedAndCameBackBetweenTwoStepsIsStillALoss() {
        int attempts =
                manager.elasticRetry(
                        Retry.atLeast(1),
                        attempt -> {
                            if (attempt.number() == 1) {
                                sim.kill(2);
                                pause(Duration.ofSeconds(20));
                            }
                            attempt.completed(0);
                            return attempt.number();
                        });
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void lossOfAnInactiveSliceEndsNothing() {
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    manager.activate(Set.of(0, 1));
                    sim.kill(3);
                    pause(Duration.ofSeconds(1));
                    attempt.completed(0);
                    assertThat(attempt.number()).isEqualTo(1);
                    return 0;
                });
    }

    @Test
    void secondRetryOnOneManagerIsRefused() {
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    assertThatThrownBy(() -> manager.elasticRetry(Retry.atLeast(1), inner -> 1))
                            .isInstanceOf(UsageError.class)
                            .hasMessageContaining("already runs");
                    return 0;
                });
        int again = manager.elasticRetry(Retry.atLeast(1), Attempt::number);
        assertThat(again).isEqualTo(1);
    }

    @Test
    void retryOnAnotherThreadIsRefusedToo() throws Exception {
        var thrown = new AtomicReference<RuntimeException>();
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    var other =
                            Thread.ofPlatform()
                                    .start(
                                            () -> {
                                                try {
                                                    manager.elasticRetry(
                                                            Retry.atLeast(1), Attempt::number);
                                                } catch (UsageError e) {
                                                    thrown.set(e);
                                                }
                                            });
                    other.join();
                    return attempt.number();
                });
        assertThat(thrown.get()).hasMessageContaining("already runs");
    }

    @Test
    void moreThanTheAllocationIsRefusedAtOnce() {
        assertThatThrownBy(() -> manager.elasticRetry(Retry.atLeast(5), attempt -> 1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("the allocation has 4");
    }

    @Test
    void stopIsNoElasticEventAndLeavesTheArraysAlone() {
        var called = new AtomicInteger();
        var made = new AtomicReference<Array>();
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1).onEvent(event -> called.incrementAndGet()),
                                        attempt -> {
                                            made.set(put());
                                            Thread.currentThread().interrupt();
                                            attempt.completed(7);
                                            return 0;
                                        }))
                .isInstanceOf(Interrupted.class)
                .hasMessageContaining("step 7");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(called).hasValue(0);
        assertThat(made.get().toHost().get(0)).isEqualTo(1);
        int again = manager.elasticRetry(Retry.atLeast(1), Attempt::number);
        assertThat(again).isEqualTo(1);
    }

    @Test
    void attemptThatIsOverTakesNoMoreSteps() {
        var first = new AtomicReference<Attempt>();
        manager.elasticRetry(
                Retry.atLeast(1),
                attempt -> {
                    first.set(attempt);
                    return 0;
                });
        assertThatThrownBy(() -> first.get().completed(1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("attempt 1 is over");
    }

    @Test
    void backoffDoublesWithEachLossInARow() {
        var starts = new ArrayList<Duration>();
        sim.withoutReturns();
        manager.elasticRetry(
                Retry.atLeast(1).backoff(Duration.ofSeconds(4)),
                attempt -> {
                    starts.add(sim.clock().elapsed());
                    return attempt.number() < 4 ? loseSlice(attempt.number()) : 0;
                });
        var gaps = new ArrayList<Long>();
        for (int i = 1; i < starts.size(); i++) {
            gaps.add(starts.get(i).minus(starts.get(i - 1)).toSeconds());
        }
        assertThat(gaps).isEqualTo(List.of(4L, 8L, 16L));
    }

    @Test
    void monitoringEndsWithTheRetry() {
        manager.elasticRetry(Retry.atLeast(1), attempt -> 0);
        manager.activate(Set.of(0));
        pause(Duration.ofMinutes(1));
        assertThat(manager.availableInactiveSlices()).isEmpty();
    }

    @Test
    void optionsCheckThemselves() {
        assertThatThrownBy(() -> Retry.atLeast(0)).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> Retry.all().limit(0)).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> Retry.all().poll(Duration.ZERO)).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> Retry.all().within(Duration.ofSeconds(-1)))
                .isInstanceOf(UsageError.class);
    }

    /// Kills a slice and reads an array that lay there.
    private int loseSlice(int slice) {
        var there = put();
        if (!there.toString().contains("lost")) {
            int victim =
                    manager.activeSliceIndices().contains(slice)
                            ? slice
                            : manager.activeSliceIndices().iterator().next();
            sim.kill(victim);
        }
        return (int) there.toHost().get(0);
    }

    private Array put() {
        return sim.put(Array.scalar(1.0), Counting.mesh(manager).replicated());
    }

    private void pause(Duration time) {
        try {
            sim.clock().await(time, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
