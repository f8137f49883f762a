package org.meshbook.cluster.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.meshbook.cluster.queue.QueueSpec.Policy;
import org.meshbook.cluster.queue.QueueSpec.Preemption;
import org.meshbook.cluster.queue.QueueSpec.Quota;

/// What must hold however workloads come and go.
final class QueuePropertiesTest {
    private static final FlavorResource CPU = new FlavorResource("main", "cpu");
    private static final List<String> QUEUES = List.of("a", "b", "c");

    record Step(String queue, int cpus, int priority, boolean finishOne, int which) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(QUEUES),
                        Arbitraries.integers().between(1, 9),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 20))
                .as(Step::new)
                .list()
                .ofMaxSize(40);
    }

    private static Play cohort(boolean strict, Policy within, Policy reclaim, boolean borrow) {
        var preemption =
                new Preemption(
                        within, reclaim, borrow && reclaim != Policy.NEVER, OptionalInt.empty());
        var play = Play.standard();
        play.queue(Play.spec("a", "team", strict, preemption, Play.quota(6, 3, 4)));
        play.queue(Play.spec("b", "team", strict, preemption, Play.quota(4, -1, -1)));
        play.queue(Play.spec("c", "", strict, preemption, Quota.of(8000)));
        return play;
    }

    private static void perform(Play play, Step step, int number) {
        play.second().submit(step.queue(), "w%03d".formatted(number), step.cpus(), step.priority());
        play.run();
        // victims go at once
        for (var victims : List.copyOf(play.victims.values())) {
            victims.forEach(t -> play.finish(t.victim().uid()));
        }
        play.victims.clear();
        if (step.finishOne() && !play.running().isEmpty()) {
            play.finish(play.running().get(step.which() % play.running().size()));
        }
        play.second().run();
    }

    @Property(tries = 300)
    void quotaIsNeverExceeded(
            @ForAll("steps") List<Step> steps, @ForAll Policy reclaim, @ForAll boolean borrow) {
        var play = cohort(false, Policy.LOWER_PRIORITY, only(reclaim), borrow);
        for (int i = 0; i < steps.size(); i++) {
            perform(play, steps.get(i), i);
            long a = play.state.used("a", CPU);
            long b = play.state.used("b", CPU);
            assertThat(a + b).isLessThanOrEqualTo(10_000);
            assertThat(a).isLessThanOrEqualTo(9_000);
            assertThat(b).isLessThanOrEqualTo(8_000);
            assertThat(play.state.used("c", CPU)).isLessThanOrEqualTo(8_000);
        }
    }

    /// The schema lets reclaimWithinCohort be one of three.
    private static Policy only(Policy policy) {
        return policy == Policy.LOWER_OR_NEWER_EQUAL_PRIORITY ? Policy.ANY : policy;
    }

    @Property(tries = 300)
    void countersEqualTheSets(@ForAll("steps") List<Step> steps) {
        var play = cohort(false, Policy.LOWER_PRIORITY, Policy.ANY, true);
        for (int i = 0; i < steps.size(); i++) {
            perform(play, steps.get(i), i);
            for (var queue : QUEUES) {
                var counts = play.state.counts(queue);
                var waiting = play.state.waiting(queue);
                assertThat(counts.waiting()).isEqualTo(waiting.size());
                assertThat(new HashSet<>(waiting)).hasSize(waiting.size());
                assertThat(counts.reserving()).isEqualTo(play.state.holders(queue).size());
                long used =
                        play.state.holders(queue).stream()
                                .mapToLong(r -> r.usage().getOrDefault(CPU, 0L))
                                .sum();
                assertThat(play.state.used(queue, CPU)).isEqualTo(used);
                assertThat(waiting).noneMatch(w -> play.state.held(w.key()).isPresent());
            }
        }
    }

    @Property(tries = 300)
    void nobodyStarvesInAStrictQueue(@ForAll("steps") List<Step> steps) {
        var play = cohort(true, Policy.NEVER, Policy.NEVER, false);
        var possible = new ArrayList<Step>();
        for (int i = 0; i < steps.size(); i++) {
            var step = new Step("c", Math.min(8, steps.get(i).cpus()), 0, false, 0);
            possible.add(step);
            perform(play, step, i);
        }
        while (!play.running().isEmpty()) {
            play.finish(play.running().getFirst()).run();
        }
        // all had their turn, in the order in which they came
        assertThat(play.order).hasSize(possible.size()).isSorted();
    }

    @Property(tries = 300)
    void noVictimIsTakenInVain(@ForAll("steps") List<Step> steps) {
        var play = cohort(false, Policy.LOWER_PRIORITY, Policy.ANY, false);
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            play.second();
            play.submit(step.queue(), "w%03d".formatted(i), step.cpus(), step.priority());
            play.run();
            play.victims.forEach((name, victims) -> checkMinimal(play, name, victims));
            play.victims.values().forEach(list -> list.forEach(t -> play.finish(t.victim().uid())));
            play.victims.clear();
            play.second().run();
            play.victims.clear();
        }
    }

    /// With any one victim left where it is, the preemptor would not fit, or would have to borrow:
    /// whoever may not preempt while borrowing first tries to fit without.
    private static void checkMinimal(Play play, String name, List<Target> victims) {
        var mine =
                QUEUES.stream()
                        .flatMap(q -> play.state.waiting(q).stream())
                        .filter(w -> w.uid().equals(name))
                        .findFirst()
                        .orElseThrow();
        long wanted = mine.podSets().getFirst().requests().getOrDefault("cpu", 0L);
        for (var spared : victims) {
            var copy = play.state.copy();
            victims.stream()
                    .filter(t -> !t.equals(spared))
                    .forEach(t -> copy.release(t.victim().key(), play.now));
            boolean fits = wanted <= copy.available(mine.queue(), CPU);
            boolean borrows = copy.used(mine.queue(), CPU) + wanted > nominal(mine.queue());
            assertThat(fits && !borrows)
                    .as("%s would fit without the preemption of %s", name, spared)
                    .isFalse();
        }
    }

    private static long nominal(String queue) {
        return switch (queue) {
            case "a" -> 6000;
            case "b" -> 4000;
            default -> 8000;
        };
    }
}
