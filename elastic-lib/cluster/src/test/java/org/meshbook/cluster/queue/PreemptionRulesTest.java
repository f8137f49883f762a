package org.meshbook.cluster.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.queue.QueueSpec.Policy;
import org.meshbook.cluster.queue.QueueSpec.Preemption;
import org.meshbook.cluster.queue.QueueSpec.Quota;
import org.meshbook.cluster.queue.Rules.FairStrategy;

final class PreemptionRulesTest {
    private static Play seed() {
        return Play.standard().queue(Play.spec("main", "", false, Play.lower(), Quota.of(24_000)));
    }

    @Test
    @DisplayName("A5 a")
    void theOneThatHoldsAllGoes() {
        var play = seed().submit("main", "3slice", 24).run().second();
        play.submit("main", "low-priority", 8, 100).run();
        assertThat(play.victimsOf("low-priority")).containsExactly("3slice");
        assertThat(play.messages.get("low-priority"))
                .isEqualTo(
                        "couldn't assign flavors to pod set main: insufficient unused quota for cpu"
                                + " in flavor main, 8 more needed. Pending the preemption of 1"
                                + " workload(s)");
        assertThat(play.reason("low-priority").word()).isEqualTo("InClusterQueue");
    }

    @Test
    @DisplayName("A5 b, OD3: the one that reserved last goes; in the same second the lower UID")
    void theNewestReservationGoesFirst() {
        var play = seed().submit("main", "1slice", 8).submit("main", "2slice", 16).run().second();
        play.submit("main", "low-priority", 8, 100).run();
        assertThat(play.victimsOf("low-priority")).containsExactly("1slice");
        var later = seed().submit("main", "1slice", 8).run().second();
        later.submit("main", "2slice", 16).run().second();
        later.submit("main", "low-priority", 8, 100).run();
        assertThat(later.victimsOf("low-priority")).containsExactly("2slice");
    }

    @Test
    @DisplayName("A5 c")
    void higherOnesAreLeftAlone() {
        var play = seed().submit("main", "3slice", 24, 500).run().second();
        play.submit("main", "low-priority", 8, 100).run();
        assertThat(play.victimsOf("low-priority")).isEmpty();
        assertThat(play.messages.get("low-priority")).endsWith("8 more needed");
    }

    @Test
    @DisplayName("A6, A7: the victim keeps its place and, until its pods are gone, its quota")
    void theVictimGoesBackToItsPlace() {
        var play = seed().submit("main", "a", 24).run().second();
        play.submit("main", "b", 24).run().second();
        var a = play.workload("main", "a", 24, 0);
        play.submit("main", "high", 8, 100).run();
        assertThat(play.running()).containsExactly("a");
        play.finish("a");
        play.state.offer(
                new Workload(
                        a.key(),
                        a.uid(),
                        a.queue(),
                        0,
                        play.now.minusSeconds(2),
                        a.podSets(),
                        a.replaces()));
        play.run();
        assertThat(play.running()).containsExactly("high");
        assertThat(play.state.waiting("main")).extracting(Workload::uid).containsExactly("a", "b");
    }

    @Test
    @DisplayName("scenario 22: equal priority and older is never a victim")
    void equalOnesGoOnlyIfTheyAreNewer() {
        var preemption = Play.reclaim(Policy.LOWER_OR_NEWER_EQUAL_PRIORITY, Policy.NEVER);
        var play = Play.standard().queue(Play.spec("main", "", false, preemption, Quota.of(8000)));
        var old = play.workload("main", "old", 8, 0);
        play.second().submit("main", "new", 8).run().second();
        play.state.offer(old);
        play.run();
        assertThat(play.victimsOf("old")).containsExactly("new");
        play.submit("main", "newest", 8).run();
        assertThat(play.victimsOf("newest")).isEmpty();
    }

    @Test
    @DisplayName("A18: minimal by inclusion, not the smallest")
    void victimsThatAreNotNeededArePutBack() {
        var play = seed();
        play.submit("main", "big", 16).run().second().submit("main", "small", 2).run().second();
        play.submit("main", "mid", 6).run().second().submit("main", "high", 20, 100).run();
        assertThat(play.victimsOf("high")).containsExactly("big", "mid");
        var other = seed();
        other.submit("main", "big", 16).run().second().submit("main", "small", 8).run().second();
        other.submit("main", "high", 16, 100).run();
        assertThat(other.victimsOf("high")).containsExactly("big");
    }

    @Test
    @DisplayName("A17: lent quota is reclaimed")
    void lentQuotaIsReclaimedWhateverThePriority() {
        var any = Play.reclaim(Policy.NEVER, Policy.ANY);
        var play = Play.standard();
        play.queue(Play.spec("a", "team", false, any, Quota.of(8000)));
        play.queue(Play.spec("b", "team", false, Preemption.NEVER, Quota.of(8000)));
        play.submit("b", "x", 8, 500).run().second().submit("b", "y", 4, 500).run().second();
        play.submit("a", "mine", 8).run();
        assertThat(play.victimsOf("mine")).containsExactly("y");
        assertThat(play.reason("mine").word()).isEqualTo("InCohortReclamation");
    }

    @Test
    void whoBorrowsMayReclaimBelowTheThresholdOnly() {
        for (int threshold : new int[] {0, 10}) {
            var preemption =
                    new Preemption(
                            Policy.NEVER, Policy.LOWER_PRIORITY, true, OptionalInt.of(threshold));
            var play = Play.standard();
            play.queue(Play.spec("a", "team", false, preemption, Quota.of(4000)));
            play.queue(Play.spec("b", "team", false, Preemption.NEVER, Quota.of(4000)));
            play.queue(Play.spec("c", "team", false, Preemption.NEVER, Quota.of(4000)));
            play.submit("b", "theirs", 12, 5).run().second();
            play.submit("a", "mine", 6, 100).run();
            assertThat(play.victimsOf("mine").isEmpty()).isEqualTo(threshold == 0);
        }
    }

    @Test
    void twoThatWantTheSameVictimDoNotBothGetIt() {
        var any = Play.reclaim(Policy.NEVER, Policy.ANY);
        var play = Play.standard();
        for (var name : List.of("a", "b")) {
            play.queue(Play.spec(name, "team", false, any, Quota.of(4000)));
        }
        play.queue(Play.spec("c", "team", false, Preemption.NEVER, Quota.of(0)));
        play.submit("c", "lent", 8).run().second();
        play.submit("a", "x", 4).submit("b", "y", 4).run();
        assertThat(play.victimsOf("x")).containsExactly("lent");
        assertThat(play.messages.get("y"))
                .isEqualTo("Workload has overlapping preemption targets with another workload");
    }

    @Test
    @DisplayName("fair sharing; scenario 17: no loop under equal weights")
    void sharesBecomeEqualAndStayThere() {
        var rules =
                Rules.of(Profile.V0_17)
                        .withFairSharing(
                                List.of(
                                        FairStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
                                        FairStrategy.LESS_THAN_INITIAL_SHARE));
        var any = Play.reclaim(Policy.NEVER, Policy.ANY);
        var play = Play.by(rules);
        for (var name : List.of("a", "b")) {
            play.queue(Play.spec(name, "team", false, any, Quota.of(0)));
        }
        play.queue(Play.spec("lender", "team", false, any, Quota.of(8000)));
        for (int i = 0; i < 8; i++) {
            play.submit("a", "a" + i, 1).run();
        }
        for (int i = 0; i < 4; i++) {
            play.second().submit("b", "b" + i, 1).run();
            assertThat(play.victimsOf("b" + i)).hasSize(1);
            play.finish(play.victimsOf("b" + i).getFirst()).run();
        }
        assertThat(play.running()).contains("b0", "b1", "b2", "b3").hasSize(8);
        play.second().submit("b", "b4", 1).run();
        assertThat(play.victimsOf("b4")).isEmpty();
    }

    @Test
    void theSmallerShareIsServedFirst() {
        var rules =
                Rules.of(Profile.V0_17)
                        .withFairSharing(List.of(FairStrategy.LESS_THAN_INITIAL_SHARE));
        var play = Play.by(rules);
        for (var name : List.of("a", "b")) {
            play.queue(Play.spec(name, "team", false, Preemption.NEVER, Quota.of(0)));
        }
        play.queue(Play.spec("lender", "team", false, Preemption.NEVER, Quota.of(8000)));
        play.submit("a", "a0", 4).run();
        play.submit("a", "a1", 4, 100).submit("b", "b0", 4, 0).run();
        assertThat(play.running()).containsExactly("a0", "b0");
    }

    @Test
    @DisplayName("scenario 16: the sticky preemptor goes before all until it is admitted")
    void aStickyPreemptorIsNotOvertakenByItsVictims() {
        for (boolean sticky : new boolean[] {false, true}) {
            var preemption = Play.reclaim(Policy.LOWER_OR_NEWER_EQUAL_PRIORITY, Policy.NEVER);
            var play = Play.by(Rules.of(Profile.V0_17).withStickyPreemptor(sticky));
            play.queue(Play.spec("main", "", false, preemption, Quota.of(8000)));
            var a = play.workload("main", "a", 4, 0);
            play.submit("main", "a", 4).submit("main", "b", 4).run().second();
            play.submit("main", "c", 8, 1).run();
            assertThat(play.victimsOf("c")).containsExactly("a", "b");
            play.finish("a");
            play.state.offer(
                    new Workload(
                            a.key(),
                            a.uid(),
                            a.queue(),
                            2,
                            a.queuedAt(),
                            a.podSets(),
                            a.replaces()));
            assertThat(play.state.waiting("main").getFirst().uid()).isEqualTo(sticky ? "c" : "a");
        }
    }
}
