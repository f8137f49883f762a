package org.meshbook.cluster.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.embedded.Settings;
import org.meshbook.cluster.queue.Rules;

/// What goes on after something went wrong on the way: a write that was refused, controllers that
/// were started again.
final class RebuildTest {
    private static final Rules RULES = Rules.of(Profile.V0_17);

    @TempDir private Path folder;

    /// Refuses to start JobSets, for some times.
    private record Refusing(AtomicInteger times) implements AdmissionHook {
        @Override
        public String name() {
            return "test.kb.io";
        }

        @Override
        public Set<ResourceKind> kinds() {
            return Set.of(Kinds.JOB_SET);
        }

        @Override
        public List<String> validate(Review review) {
            boolean starts =
                    review.before().isPresent()
                            && !review.object().at("spec", "suspend").asBoolean(false);
            return starts && times.getAndDecrement() > 0 ? List.of("not now") : List.of();
        }
    }

    private static Settings refusing(Settings settings, AtomicInteger times) {
        var hooks = new ArrayList<>(settings.hooks());
        hooks.add(new Refusing(times));
        return settings.withHooks(hooks);
    }

    @Test
    @DisplayName("kueue#1726, #3936: a start that was refused is tried again")
    void startThatWasRefusedIsTriedAgain() {
        var times = new AtomicInteger(3);
        try (var stage = new Stage(RULES, settings -> refusing(settings, times)).seed()) {
            stage.jobSet("a", 1);
            assertThat(stage.workload("a").is("Admitted")).isTrue();
            assertThat(stage.runs("a")).isFalse();
            stage.seconds(1);
            assertThat(stage.runs("a")).isTrue();
            assertThat(times).hasNegativeValue();
        }
    }

    @Test
    @DisplayName("kueue#4224: controllers that start again know from the objects how things stand")
    void stateIsRebuiltFromObjects() {
        try (var stage = new Stage(RULES, s -> s.withFolder(folder)).seed()) {
            stage.jobSet("a", 1).jobSet("b", 2).seconds(1);
            stage.jobSet("c", 2).seconds(1).jobSet("d", 1).seconds(1);
        }
        try (var stage = new Stage(RULES, s -> s.withFolder(folder).withRandom(new Random(2)))) {
            stage.seconds(2);
            var queue = stage.rig.at(Kinds.CLUSTER_QUEUE, "cluster-queue");
            assertThat(queue.at("status", "admittedWorkloads").asInt()).isEqualTo(2);
            assertThat(queue.at("status", "pendingWorkloads").asInt()).isEqualTo(2);
            assertThat(List.of(stage.runs("a"), stage.runs("b"), stage.runs("c"), stage.runs("d")))
                    .containsExactly(true, true, false, false);
            stage.finish("b").seconds(2);
            assertThat(stage.runs("c")).isTrue();
            assertThat(stage.runs("d")).isFalse();
            stage.finish("a").seconds(2);
            assertThat(stage.runs("d")).isTrue();
        }
    }
}
