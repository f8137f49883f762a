package org.meshbook.elastic.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.data.Data;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.sim.Simulation;

class TrainerTest {
    private static final int STEPS = 60;
    private static final Duration STEP = Duration.ofMillis(100);

    private final Simulation sim = Simulation.of(4, 2);
    private final Manager manager = new Manager(sim);
    private final Snapshotter snapshots = new Snapshotter(manager);
    private final Data<Array> data = Data.<Array>of(Array.iota(DType.F32, 96)).shuffle(7);
    private final List<Long> run = new ArrayList<>();
    private final List<ElasticEvent> events = new ArrayList<>();

    /// The mesh's size at each step that counts: those done again overwrite.
    private final Map<Long, Integer> sizes = new TreeMap<>();

    @AfterEach
    void end() {
        snapshots.close();
        manager.close();
    }

    @Test
    void lossLeaveAndReturnChangeNoResult() {
        sim.at(Duration.ofMillis(1_530), () -> sim.kill(2));
        sim.at(Duration.ofMillis(5_030), () -> sim.notice(1, Duration.ofSeconds(10)));
        var last = train(GlobalBatch.constant(24), Retry.atLeast(2));
        assertThat(last.item()).isEqualTo(expected(GlobalBatch.constant(24)).item());
        assertThat(sizes.values()).contains(3, 4);
        assertThat(run).hasSizeGreaterThan(STEPS);
    }

    @Test
    void scaledBatchGivesEachSliceAsManyRowsAsBefore() {
        sim.withoutReturns().at(Duration.ofMillis(1_530), () -> sim.kill(2));
        sim.at(Duration.ofMillis(3_000), () -> sim.restart(2));
        var batch = GlobalBatch.scaled(24);
        assertThat(train(batch, Retry.atLeast(2)).item()).isEqualTo(expected(batch).item());
        assertThat(sizes.values()).contains(3, 4);
        assertThat(batch.rows(manager)).isEqualTo(24);
    }

    @Test
    void constantBatchThatDoesNotDivideSaysSoAndIsNeverChanged() {
        sim.withoutReturns().at(Duration.ofMillis(1_530), () -> sim.kill(2));
        assertThatThrownBy(() -> train(GlobalBatch.constant(16), Retry.atLeast(2)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("f32[16]");
    }

    @Test
    void snapshotAndGrowthInTheSameStepKeepBoth() {
        manager.onEvent(events::add);
        sim.at(Duration.ofMillis(1_530), () -> sim.kill(2));
        // Each step is saved, so that a growth follows a save that is still in flight; the slice
        // that
        // was grown onto, and all but one of the others, are lost some steps later.
        sim.at(Duration.ofMillis(3_830), () -> List.of(0, 1, 2).forEach(sim::kill));
        var trainer = trainer(GlobalBatch.constant(24), Retry.atLeast(1)).saveEvery(1);
        var last = trainer.train(this::start, TrainerTest::step, STEPS);
        assertThat(last.item()).isEqualTo(expected(GlobalBatch.constant(24)).item());
        assertThat(events).filteredOn(ElasticEvent.Grew.class::isInstance).hasSizeGreaterThan(1);
        assertThat(run).hasSizeLessThan(STEPS + 10);
    }

    @Test
    void noticeIsUsedForASnapshotAtOnce() {
        sim.withoutReturns()
                .at(Duration.ofMillis(1_230), () -> sim.notice(2, Duration.ofSeconds(10)));
        trainer(GlobalBatch.constant(24), Retry.atLeast(2))
                .saveEvery(1_000)
                .train(this::start, TrainerTest::step, 20);
        assertThat(snapshots.latest())
                .hasValueSatisfying(latest -> assertThat(latest.step()).isBetween(11L, 14L));
        assertThat(run).hasSize(20);
    }

    @Test
    void belowTheMinimumItWaitsAndGoesOnFromTheSameStep() {
        sim.withoutReturns()
                .at(Duration.ofMillis(1_530), () -> List.of(1, 2, 3).forEach(sim::kill));
        sim.at(Duration.ofSeconds(90), () -> sim.restart(3));
        var last = train(GlobalBatch.constant(24), Retry.atLeast(2));
        assertThat(last.item()).isEqualTo(expected(GlobalBatch.constant(24)).item());
        assertThat(sim.clock().elapsed()).isGreaterThan(Duration.ofSeconds(90));
        assertThat(sizes.get((long) STEPS)).isEqualTo(2);
    }

    @Test
    void sliceThatComesHoldsUpNoStep() {
        var ends = new ArrayList<Duration>();
        sim.at(Duration.ofMillis(1_530), () -> sim.kill(2));
        trainer(GlobalBatch.constant(24), Retry.atLeast(2))
                .watch(
                        (step, mesh) -> {
                            pass();
                            ends.add(sim.clock().elapsed());
                        })
                .train(this::start, TrainerTest::step, STEPS);
        // After the loss it comes back, is probed and grown onto; the longest pause is the loss
        // itself.
        assertThat(manager.activeSliceCount()).isEqualTo(4);
        var pauses = new ArrayList<Duration>();
        for (int i = 20; i < ends.size(); i++) {
            pauses.add(ends.get(i).minus(ends.get(i - 1)));
        }
        assertThat(pauses).allMatch(pause -> pause.compareTo(STEP.multipliedBy(2)) < 0);
    }

    private Array train(GlobalBatch batch, Retry retry) {
        return trainer(batch, retry).train(this::start, TrainerTest::step, STEPS);
    }

    private Trainer<Array> trainer(GlobalBatch batch, Retry retry) {
        return new Trainer<>(manager, snapshots, data, batch)
                .retry(retry)
                .saveEvery(5)
                .watch(
                        (step, mesh) -> {
                            run.add(step);
                            sizes.put(step, mesh.size("replica"));
                            pass();
                        });
    }

    private Array start(Mesh mesh) {
        return sim.put(Array.scalar(1f), mesh.replicated());
    }

    private static Array step(Array w, Array rows) {
        return w.mul(0.5).add(rows.sum());
    }

    private void pass() {
        try {
            sim.clock().await(STEP, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The same on this host.
    private Array expected(GlobalBatch batch) {
        Array w = Array.scalar(1f);
        long position = 0;
        for (long step = 1; step <= STEPS; step++) {
            int size = sizes.getOrDefault(step, 4);
            var batches = data.batch(batch.scaled() ? batch.rows() * size / 4 : batch.rows());
            w = step(w, batches.at(position));
            position = batches.next(position);
        }
        return w;
    }
}
