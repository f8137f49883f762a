package org.meshbook.cluster.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.queue.QueueSpec.FlavorQuota;
import org.meshbook.cluster.queue.QueueSpec.Group;
import org.meshbook.cluster.queue.QueueSpec.Policy;
import org.meshbook.cluster.queue.QueueSpec.Preemption;
import org.meshbook.cluster.queue.QueueSpec.Quota;

final class AdmissionRulesTest {
    @Test
    void whatIsTriedOnACopyChangesNothing() {
        var play = Play.standard().queue("q", 1).submit("q", "a", 1).submit("q", "b", 1);
        var copy = play.state.copy();
        while (copy.ready()) {
            copy.cycle(play.now, _ -> Optional.empty());
        }
        assertThat(copy.held("default/a")).isPresent();
        assertThat(play.state.held("default/a")).isEmpty();
        assertThat(play.state.counts("q").active()).isEqualTo(2);
        assertThat(play.run().running()).containsExactly("a");
    }

    @Test
    @DisplayName("A1: file order")
    void firstComeFirstServedAsFarAsTheyFit() {
        var play = Play.standard().queue("main", 24);
        for (int slices = 1; slices <= 3; slices++) {
            play.submit("main", slices + "slice", 8L * slices).run().second();
        }
        assertThat(play.running()).containsExactly("1slice", "2slice");
        assertThat(play.messages.get("3slice"))
                .isEqualTo(
                        "couldn't assign flavors to pod set main: insufficient unused quota for cpu"
                                + " in flavor main, 24 more needed");
        play.finish("1slice").second().run();
        assertThat(play.messages.get("3slice")).endsWith("16 more needed");
        play.finish("2slice").second().run();
        assertThat(play.running()).containsExactly("3slice");
    }

    @Test
    @DisplayName("A2, OD1: the largest first, then the others after the batch of a second")
    void parkedWorkloadsAreTriedASecondAfterQuotaIsReleased() {
        var play = Play.standard().queue("main", 24);
        for (int slices = 3; slices >= 1; slices--) {
            play.submit("main", slices + "slice", 8L * slices).run().second();
        }
        assertThat(play.running()).containsExactly("3slice");
        play.finish("3slice").after(Duration.ofMillis(999)).run();
        assertThat(play.running()).isEmpty();
        play.after(Duration.ofMillis(1)).run();
        assertThat(play.order).containsExactly("3slice", "2slice", "1slice");
    }

    @Test
    @DisplayName("OV1: 0.14 tries parked workloads at once")
    void theOldProfileDoesNotWaitForABatch() {
        var play = Play.as(Profile.V0_14).queue("main", 8);
        play.submit("main", "a", 8).run().submit("main", "b", 8).run().finish("a").run();
        assertThat(play.running()).containsExactly("b");
    }

    @Test
    @DisplayName("OD2: within one second the UID decides")
    void uidBreaksTiesWithinASecond() {
        var play = Play.standard().queue("main", 24);
        play.submit("main", "b", 8).submit("main", "a", 8).run();
        assertThat(play.order).containsExactly("a", "b");
    }

    @Test
    @DisplayName("A3: StrictFIFO")
    void aStrictQueueLetsNobodyPastItsHead() {
        var play = Play.standard();
        play.queue(Play.spec("main", "", true, Preemption.NEVER, Quota.of(24_000)));
        play.submit("main", "3", 24).run().second().submit("main", "2", 16).run().second();
        play.finish("3").submit("main", "huge", 24).submit("main", "tiny", 1).run();
        assertThat(play.running()).containsExactly("2");
        play.second().finish("2").run();
        assertThat(play.order).containsExactly("3", "2", "huge");
    }

    @Test
    @DisplayName("A4: BestEffortFIFO")
    void aSmallOneOvertakesInABestEffortQueue() {
        var play = Play.standard().queue("main", 24);
        play.submit("main", "a", 16).run().second().submit("main", "big", 16).run().second();
        play.submit("main", "small", 8).run();
        assertThat(play.running()).containsExactly("a", "small");
    }

    @Test
    @DisplayName("A9, KQ012")
    void aResourceThatNoGroupCoversIsUnavailable() {
        var play = Play.standard().queue("main", 24);
        play.state.offer(play.workload("main", "w", 0, Play.podSet("p", 1, "memory", "1Gi")));
        play.run();
        assertThat(play.messages.get("w"))
                .isEqualTo(
                        "couldn't assign flavors to pod set p: resource memory unavailable in"
                                + " ClusterQueue");
    }

    @Test
    void whatCanNeverFitSaysSo() {
        var play = Play.standard().queue("main", 24).submit("main", "w", 32).run();
        assertThat(play.messages.get("w"))
                .isEqualTo(
                        "couldn't assign flavors to pod set main: insufficient quota for cpu in"
                                + " flavor main, previously considered podsets requests (0) +"
                                + " current podset request (32) > maximum capacity (24)");
    }

    @Test
    @DisplayName("A10, OT7, OT12: seed 002")
    void flavorsAreTriedInOrderAndReasonsAreSorted() {
        var play = Play.standard();
        dws(play);
        for (int i = 1; i <= 5; i++) {
            play.state.offer(ray(play, "job" + i, i == 1 ? 16 : 0));
            play.run().second();
        }
        assertThat(play.admission("job1").assignment().podSets().get(1).flavors())
                .containsEntry("google.com/tpu", "on-demand");
        assertThat(play.running()).containsExactly("job1", "job2", "job3", "job4");
        assertThat(play.messages.get("job5"))
                .isEqualTo(
                        "couldn't assign flavors to pod set head: flavor dws doesn't match node"
                                + " affinity, flavor on-demand doesn't match node affinity,"
                                + " insufficient unused quota for cpu in flavor default-cpu, 2 more"
                                + " needed, insufficient unused quota for memory in flavor"
                                + " default-cpu, 800Mi more needed");
    }

    @Test
    @DisplayName("OT7: the flavors that were passed over")
    void theFlavorsThatWerePassedOverAreTold() {
        var play = Play.standard();
        dws(play);
        play.state.offer(ray(play, "job1", 16));
        play.run().second();
        play.state.offer(ray(play, "job2", 16));
        play.run();
        var admit = play.admission("job2");
        assertThat(admit.assignment().podSets().get(1).flavors())
                .containsEntry("google.com/tpu", "dws");
        assertThat(admit.considered())
                .isEqualTo(
                        "tpu-group: default-cpu(NoFit;insufficient quota for cpu in flavor"
                                + " default-cpu, previously considered podsets requests (2) +"
                                + " current podset request (32) > maximum capacity (10)),"
                                + " on-demand(preemptionMode=NoCandidates;insufficient unused quota"
                                + " for cpu in flavor on-demand, 24 more needed;insufficient unused"
                                + " quota for google.com/tpu in flavor on-demand, 16 more needed;"
                                + "insufficient unused quota for memory in flavor on-demand, 53Gi"
                                + " more needed)");
    }

    private static void dws(Play play) {
        for (var pool : List.of("default-cpu", "on-demand", "dws")) {
            var label = pool.equals("default-cpu") ? "default-pool" : pool;
            play.state.put(new Flavor(pool, Map.of("pool", label), List.of(), List.of()), play.now);
        }
        var resources = List.of("cpu", "memory", "google.com/tpu");
        var group =
                new Group(
                        resources,
                        List.of(
                                flavor("default-cpu", 10, 20L << 30, 0),
                                flavor("on-demand", 40, 75L << 30, 16),
                                flavor("dws", 1_000_000, 1000L << 30, 1000)));
        play.queue(
                new QueueSpec(
                        "main",
                        "",
                        List.of(group),
                        false,
                        QueueSpec.Fungibility.DEFAULT,
                        Preemption.NEVER,
                        1000));
    }

    private static FlavorQuota flavor(String name, long cpu, long memory, long tpu) {
        return new FlavorQuota(
                name,
                Map.of(
                        "cpu", Quota.of(cpu * 1000),
                        "memory", Quota.of(memory),
                        "google.com/tpu", Quota.of(tpu)));
    }

    private static Workload ray(Play play, String name, int tpus) {
        var onDefault = new NodeRules(Map.of("pool", "default-pool"), List.of(), List.of());
        return tpus == 0
                ? play.workload(
                        "main",
                        name,
                        0,
                        Play.podSet("head", 1, onDefault, "cpu", "2", "memory", "4Gi"),
                        Play.podSet("submitter", 1, "cpu", "500m", "memory", "200Mi"))
                : play.workload(
                        "main",
                        name,
                        0,
                        Play.podSet("head", 1, onDefault, "cpu", "2", "memory", "4Gi"),
                        Play.podSet(
                                "tpu-group",
                                4,
                                "cpu",
                                "8",
                                "memory",
                                "16Gi",
                                "google.com/tpu",
                                "4"),
                        Play.podSet("submitter", 1, "cpu", "500m", "memory", "200Mi"));
    }

    @Test
    void aTaintThatIsNotToleratedRulesAFlavorOut() {
        var play = Play.standard();
        var taint = new NodeRules.Taint("gpu", "yes", "NoSchedule");
        play.state.put(new Flavor("main", Map.of(), List.of(taint), List.of()), play.now);
        play.queue("main", 8).submit("main", "w", 1).run();
        assertThat(play.messages.get("w"))
                .endsWith("untolerated taint {gpu yes NoSchedule <nil>} in flavor main");
        var tolerant =
                new NodeRules(
                        Map.of(),
                        List.of(),
                        List.of(new NodeRules.Toleration("gpu", "Exists", "", "")));
        play.state.offer(play.workload("main", "t", 0, Play.podSet("p", 1, tolerant, "cpu", "1")));
        assertThat(play.run().running()).containsExactly("t");
    }

    @Test
    @DisplayName("A17: cohort, borrowing and lending limits")
    void aQueueBorrowsWhatOthersLend() {
        var play = Play.standard();
        play.queue(Play.spec("a", "team", false, Preemption.NEVER, Play.quota(8, -1, -1)));
        play.queue(Play.spec("b", "team", false, Preemption.NEVER, Play.quota(8, -1, 2)));
        play.submit("a", "w", 11).run();
        assertThat(play.messages.get("w")).contains("(11) > maximum capacity (10)");
        play.submit("a", "x", 10).run();
        assertThat(play.running()).containsExactly("x");
        play.queue(Play.spec("c", "team", false, Preemption.NEVER, Play.quota(0, 3, -1)));
        play.submit("c", "y", 4).run();
        assertThat(play.messages.get("y")).contains("(4) > maximum capacity (3)");
    }

    @Test
    void cohortsBorrowFromTheirParents() {
        var play = Play.standard();
        var cpu = new FlavorResource("main", "cpu");
        play.state.put(
                new QueueSpec.Cohort("team", "org", Map.of(cpu, Play.quota(2, 5, -1)), 1000),
                play.now);
        play.state.put(
                new QueueSpec.Cohort("org", "", Map.of(cpu, Quota.of(100_000)), 1000), play.now);
        play.queue(Play.spec("a", "team", false, Preemption.NEVER, Quota.of(1000)));
        play.submit("a", "eight", 8).submit("a", "nine", 9).run();
        assertThat(play.running()).containsExactly("eight");
        assertThat(play.messages.get("nine")).contains("maximum capacity (8)");
    }

    @Test
    void thoseThatDoNotBorrowGoFirst() {
        var play = Play.standard();
        play.queue(Play.spec("a", "team", false, Preemption.NEVER, Quota.of(4000)));
        play.queue(Play.spec("b", "team", false, Preemption.NEVER, Quota.of(4000)));
        play.submit("a", "borrower", 6, 100).submit("b", "owner", 4, 0).run();
        assertThat(play.order).containsExactly("owner");
    }

    @Test
    void whoNoLongerFitsAfterAnotherIsToldSo() {
        var play = Play.standard();
        play.queue(Play.spec("a", "team", false, Preemption.NEVER, Quota.of(4000)));
        play.queue(Play.spec("b", "team", false, Preemption.NEVER, Quota.of(4000)));
        play.submit("a", "x", 6).submit("b", "y", 6);
        play.state
                .cycle(play.now, _ -> Optional.empty())
                .forEach(
                        d -> {
                            if (d instanceof Decision.Wait wait) {
                                play.messages.put(wait.workload().uid(), wait.message());
                            }
                        });
        assertThat(play.messages)
                .containsEntry("y", "Workload no longer fits after processing another workload");
    }

    @Test
    void asManyPodsAsFitAreAdmittedIfThatIsAllowed() {
        var play = Play.standard().queue("main", 10);
        var podSet = Play.podSet("main", 16, "cpu", "1");
        play.state.offer(
                play.workload(
                        "main",
                        "w",
                        0,
                        new PodSet("main", 16, 4, podSet.requests(), NodeRules.NONE)));
        play.run();
        assertThat(play.admission("w").assignment().podSets().getFirst().count()).isEqualTo(10);
    }

    @Test
    @DisplayName("scenario 1: kueue#301")
    void aWrongNamespaceBlocksNobody() {
        var play = Play.standard();
        play.queue(Play.spec("main", "", true, Preemption.NEVER, Quota.of(8000)));
        play.submit("main", "a-wrong", 8).submit("main", "right", 8);
        for (int i = 0; i < 2; i++) {
            play.state.cycle(
                    play.now,
                    w ->
                            w.uid().equals("a-wrong")
                                    ? Optional.of(new QueueState.Refusal("no", true))
                                    : Optional.empty());
        }
        assertThat(play.state.held("default/right")).isPresent();
        assertThat(play.state.counts("main")).isEqualTo(new QueueState.Counts(0, 1, 1));
    }

    @Test
    @DisplayName("OV4: 0.19 parks what is like one that did not fit, untried")
    void equalWorkloadsAreParkedUntriedInTheNewProfile() {
        for (var profile : List.of(Profile.V0_17, Profile.V0_19)) {
            var play = Play.as(profile).queue("main", 8);
            play.submit("main", "a", 8).run();
            play.submit("main", "b", 8).submit("main", "c", 8).run();
            assertThat(play.messages.containsKey("b")).isTrue();
            assertThat(play.messages.containsKey("c")).isEqualTo(profile == Profile.V0_17);
            play.finish("a").second().run();
            assertThat(play.running()).containsExactly("b");
        }
    }

    @Test
    @DisplayName("ON9: an elastic slice is charged with what it wants more, on the same flavor")
    void aLargerSliceTakesThePlaceOfTheSmaller() {
        var play = Play.standard();
        dws(play);
        var small = play.workload("main", "small", 0, tpu(4));
        play.state.offer(small);
        play.run().second();
        play.state.offer(grown(play, "grown", tpu(8)));
        play.run();
        assertThat(play.messages.get("grown"))
                .isEqualTo(
                        "couldn't assign flavors to pod set tpu-group: could not assign default-cpu"
                                + " flavor since the original workload is assigned: on-demand, could"
                                + " not assign dws flavor since the original workload is assigned:"
                                + " on-demand, insufficient unused quota for cpu in flavor on-demand,"
                                + " 24 more needed, insufficient unused quota for google.com/tpu in"
                                + " flavor on-demand, 16 more needed, insufficient unused quota for"
                                + " memory in flavor on-demand, 53Gi more needed");
        var room = Play.standard().queue("main", 10);
        room.state.offer(room.workload("main", "small", 4, 0));
        room.run();
        var bigger = room.workload("main", "big", 0, Play.podSet("main", 1, "cpu", "9"));
        room.state.offer(grown(room, "big", bigger.podSets().getFirst()));
        room.run();
        assertThat(room.admission("big").replaced()).containsExactly("default/small");
        assertThat(room.state.used("main", new FlavorResource("main", "cpu"))).isEqualTo(9000);
    }

    private static PodSet tpu(int count) {
        return Play.podSet("tpu-group", count, "cpu", "8", "memory", "16Gi", "google.com/tpu", "4");
    }

    private static Workload grown(Play play, String name, PodSet podSet) {
        return new Workload(
                "default/" + name,
                name,
                "main",
                0,
                play.now,
                List.of(podSet),
                Optional.of("default/small"));
    }

    @Test
    @DisplayName("A16: a stopped queue")
    void anInactiveQueueHandsOutNothing() {
        var play = Play.standard().queue("main", 8).submit("main", "w", 8);
        play.state.activate("main", false, play.now);
        assertThat(play.run().running()).isEmpty();
        play.state.activate("main", true, play.now);
        assertThat(play.run().running()).containsExactly("w");
    }

    @Test
    void aForecastOnACopyChangesNothing() {
        var play = Play.standard().queue("main", 8).submit("main", "w", 8);
        var copy = play.state.copy();
        assertThat(copy.cycle(play.now, _ -> Optional.empty())).hasSize(1);
        assertThat(play.state.counts("main")).isEqualTo(new QueueState.Counts(1, 0, 0));
    }

    @Test
    void preemptionIsAskedForOnlyIfThePolicyAllowsIt() {
        var never = Play.standard().queue("main", 8);
        never.submit("main", "low", 8).run().second().submit("main", "high", 8, 100).run();
        assertThat(never.victimsOf("high")).isEmpty();
        assertThat(Policy.NEVER).isEqualTo(Preemption.NEVER.within());
    }
}
